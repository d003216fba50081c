import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small JSON reader: enough for the messages of the game; it does not validate them. */
final class Json {
    double number; // value of a number
    boolean truth; // whether this is true
    String text = ""; // value of a string
    final List<Json> items = new ArrayList<>(); // items of an array
    final Map<String, Json> members = new HashMap<>(); // members of an object

    /** Returns the member of that name, or an empty value if there is none. */
    Json get(String key) {
        return members.getOrDefault(key, new Json());
    }

    static Json parse(String source) {
        return new Reader(source).read();
    }

    private static final class Reader {
        private final String source;
        private int at;

        Reader(String source) {
            this.source = source;
        }

        Json read() {
            skipBlanks();
            Json json = new Json();
            char first = peek();
            if (first == '{') {
                at++;
                while (more('}')) {
                    String key = read().text;
                    more(':');
                    json.members.put(key, read());
                }
            } else if (first == '[') {
                at++;
                while (more(']')) {
                    json.items.add(read());
                }
            } else if (first == '"') {
                json.text = readText();
            } else {
                String word = readWord();
                json.truth = word.equals("true");
                if (!word.isEmpty() && !Character.isLetter(word.charAt(0))) {
                    json.number = Double.parseDouble(word);
                }
            }
            return json;
        }

        /** Returns the next character; zero at the end. */
        private char peek() {
            return at < source.length() ? source.charAt(at) : 0;
        }

        private void skipBlanks() {
            while (peek() != 0 && Character.isWhitespace(peek())) {
                at++;
            }
        }

        /** Skips commas and colons, and returns whether the end has not been reached. */
        private boolean more(char end) {
            skipBlanks();
            while (peek() == ',' || peek() == ':') {
                at++;
                skipBlanks();
            }
            if (peek() == end) {
                at++;
                return false;
            }
            return peek() != 0;
        }

        private String readWord() {
            int start = at;
            while (peek() != 0 && ",:]} \t\r\n".indexOf(peek()) < 0) {
                at++;
            }
            String word = source.substring(start, at);
            at += word.isEmpty() && peek() != 0 ? 1 : 0;
            return word;
        }

        private String readText() {
            StringBuilder text = new StringBuilder();
            at++;
            while (peek() != 0 && peek() != '"') {
                char letter = source.charAt(at++);
                text.append(letter == '\\' && peek() != 0 ? escaped(source.charAt(at++)) : letter);
            }
            at++;
            return text.toString();
        }

        private char escaped(char letter) {
            switch (letter) {
                case 'n': return '\n';
                case 't': return '\t';
                case 'r': return '\r';
                case 'b': return '\b';
                case 'f': return '\f';
                case 'u':
                    at += 4;
                    return (char) Integer.parseInt(source.substring(at - 4, at), 16);
                default: return letter;
            }
        }
    }
}
