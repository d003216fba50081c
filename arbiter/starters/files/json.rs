//! A small JSON reader: enough for the messages of the game; it does not validate them.

pub enum Json {
    Null,
    Truth(bool),
    Number(f64),
    Text(String),
    Items(Vec<Json>),
    Members(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(source: &str) -> Json {
        Reader { letters: source.chars().collect(), at: 0 }.read()
    }

    /// Returns the member of that name, or an empty value if there is none.
    pub fn get(&self, key: &str) -> &Json {
        match self {
            Json::Members(members) => members.iter().find(|(name, _)| name == key).map_or(&Json::Null, |(_, value)| value),
            _ => &Json::Null,
        }
    }

    pub fn number(&self) -> f64 {
        if let Json::Number(number) = self { *number } else { 0.0 }
    }

    pub fn truth(&self) -> bool {
        matches!(self, Json::Truth(true))
    }

    pub fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }

    pub fn items(&self) -> &[Json] {
        if let Json::Items(items) = self { items } else { &[] }
    }
}

struct Reader {
    letters: Vec<char>,
    at: usize,
}

impl Reader {
    fn read(&mut self) -> Json {
        self.skip_blanks();
        match self.peek() {
            Some('{') => {
                self.at += 1;
                let mut members = Vec::new();
                while self.more('}') {
                    let key = self.read().text().to_string();
                    self.more(':');
                    members.push((key, self.read()));
                }
                Json::Members(members)
            }
            Some('[') => {
                self.at += 1;
                let mut items = Vec::new();
                while self.more(']') {
                    items.push(self.read());
                }
                Json::Items(items)
            }
            Some('"') => Json::Text(self.read_text()),
            _ => match self.read_word().as_str() {
                "true" => Json::Truth(true),
                "false" => Json::Truth(false),
                word => word.parse().map_or(Json::Null, Json::Number),
            },
        }
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().map_or(false, char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Skips commas and colons, and returns whether the end has not been reached.
    fn more(&mut self, end: char) -> bool {
        self.skip_blanks();
        while matches!(self.peek(), Some(',' | ':')) {
            self.at += 1;
            self.skip_blanks();
        }
        if self.peek() == Some(end) {
            self.at += 1;
            return false;
        }
        self.peek().is_some()
    }

    fn read_word(&mut self) -> String {
        let mut word = String::new();
        while let Some(letter) = self.peek().filter(|letter| !",:]} \t\r\n".contains(*letter)) {
            word.push(letter);
            self.at += 1;
        }
        if word.is_empty() {
            self.at += 1; // always advance
        }
        word
    }

    fn read_text(&mut self) -> String {
        let mut text = String::new();
        self.at += 1;
        while let Some(letter) = self.peek().filter(|letter| *letter != '"') {
            self.at += 1;
            text.push(if letter == '\\' { self.escaped() } else { letter });
        }
        self.at += 1;
        text
    }

    fn escaped(&mut self) -> char {
        let letter = self.peek().unwrap_or('\\');
        self.at += 1;
        match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let digits: String = self.letters.iter().skip(self.at).take(4).collect();
                self.at += 4;
                u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
            }
            other => other,
        }
    }
}
