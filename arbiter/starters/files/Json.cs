using System.Collections.Generic;
using System.Globalization;
using System.Text;

// A small JSON reader: enough for the messages of the game; it does not validate them.
class Json
{
    public double Number; // value of a number
    public bool Truth; // whether this is true
    public string Text = ""; // value of a string
    public readonly List<Json> Items = new List<Json>(); // items of an array
    public readonly Dictionary<string, Json> Members = new Dictionary<string, Json>(); // members of an object

    // The member of that name, or an empty value if there is none.
    public Json this[string key]
    {
        get
        {
            Json found;
            return Members.TryGetValue(key, out found) ? found : new Json();
        }
    }

    public static Json Parse(string source)
    {
        return new Reader { Source = source }.Read();
    }

    class Reader
    {
        public string Source;
        int at;

        public Json Read()
        {
            SkipBlanks();
            var json = new Json();
            if (Peek() == '{')
            {
                at++;
                while (More('}'))
                {
                    string key = Read().Text;
                    More(':');
                    json.Members[key] = Read();
                }
            }
            else if (Peek() == '[')
            {
                at++;
                while (More(']'))
                {
                    json.Items.Add(Read());
                }
            }
            else if (Peek() == '"')
            {
                json.Text = ReadText();
            }
            else
            {
                string word = ReadWord();
                json.Truth = word == "true";
                double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out json.Number);
            }
            return json;
        }

        // Returns the next character; zero at the end.
        char Peek()
        {
            return at < Source.Length ? Source[at] : '\0';
        }

        void SkipBlanks()
        {
            while (char.IsWhiteSpace(Peek()))
            {
                at++;
            }
        }

        // Skips commas and colons, and returns whether the end has not been reached.
        bool More(char end)
        {
            SkipBlanks();
            while (Peek() == ',' || Peek() == ':')
            {
                at++;
                SkipBlanks();
            }
            if (Peek() == end)
            {
                at++;
                return false;
            }
            return Peek() != '\0';
        }

        string ReadWord()
        {
            int start = at;
            while (Peek() != '\0' && ",:]} \t\r\n".IndexOf(Peek()) < 0)
            {
                at++;
            }
            string word = Source.Substring(start, at - start);
            at += word == "" && Peek() != '\0' ? 1 : 0;
            return word;
        }

        string ReadText()
        {
            var text = new StringBuilder();
            at++;
            while (Peek() != '\0' && Peek() != '"')
            {
                char letter = Source[at++];
                text.Append(letter == '\\' && Peek() != '\0' ? Escaped(Source[at++]) : letter);
            }
            at++;
            return text.ToString();
        }

        char Escaped(char letter)
        {
            switch (letter)
            {
                case 'n': return '\n';
                case 't': return '\t';
                case 'r': return '\r';
                case 'b': return '\b';
                case 'f': return '\f';
                case 'u':
                    at += 4;
                    return (char)int.Parse(Source.Substring(at - 4, 4), NumberStyles.HexNumber);
                default: return letter;
            }
        }
    }
}
