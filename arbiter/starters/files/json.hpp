// A small JSON reader: enough for the messages of the game; it does not validate them.
#pragma once

#include <cctype>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

struct Json {
    double number = 0;                                   // value of a number
    bool truth = false;                                  // whether this is true
    std::string text;                                    // value of a string
    std::vector<Json> items;                             // items of an array
    std::vector<std::pair<std::string, Json>> members;   // members of an object

    // Returns the member of that name, or an empty value if there is none.
    const Json& operator[](const std::string& key) const {
        static const Json none;
        for (const auto& [name, value] : members) {
            if (name == key) {
                return value;
            }
        }
        return none;
    }
};

class JsonReader {
public:
    explicit JsonReader(const std::string& source) : at(source.c_str()) {}

    Json read() {
        skip_blanks();
        Json json;
        if (*at == '{') {
            read_members(json);
        } else if (*at == '[') {
            read_items(json);
        } else if (*at == '"') {
            json.text = read_text();
        } else if (*at == 't' || *at == 'f' || *at == 'n') {
            json.truth = *at == 't';
            while (*at >= 'a' && *at <= 'z') {
                ++at;
            }
        } else {
            char* end;
            json.number = std::strtod(at, &end);
            at = end > at ? end : at + (*at != 0);
        }
        return json;
    }

private:
    const char* at;  // the next character; the text ends with a zero

    void skip_blanks() {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
            ++at;
        }
    }

    // Skips a comma or colon, and returns whether the end has not been reached.
    bool more(char end) {
        skip_blanks();
        while (*at == ',' || *at == ':') {
            ++at;
            skip_blanks();
        }
        if (*at == end) {
            ++at;
            return false;
        }
        return *at != 0;
    }

    void read_members(Json& json) {
        ++at;
        while (more('}')) {
            std::string key = read().text;
            more(':');
            json.members.emplace_back(key, read());
        }
    }

    void read_items(Json& json) {
        ++at;
        while (more(']')) {
            json.items.push_back(read());
        }
    }

    std::string read_text() {
        std::string text;
        for (++at; *at && *at != '"'; ++at) {
            if (*at == '\\' && at[1]) {
                text += escaped();
            } else {
                text += *at;
            }
        }
        at += *at == '"';
        return text;
    }

    std::string escaped() {
        ++at;
        switch (*at) {
            case 'n': return "\n";
            case 't': return "\t";
            case 'r': return "\r";
            case 'b': return "\b";
            case 'f': return "\f";
            case 'u': return unicode();
            default: return std::string(1, *at);
        }
    }

    // Characters beyond the basic plane are written as two surrogates.
    std::string unicode() {
        unsigned code = 0;
        for (int digits = 0; digits < 4 && std::isxdigit(static_cast<unsigned char>(at[1])); ++digits) {
            code = code * 16 + std::stoi(std::string(1, *++at), nullptr, 16);
        }
        if (code < 0x80) {
            return std::string(1, char(code));
        }
        if (code < 0x800) {
            return {char(0xC0 | code >> 6), char(0x80 | (code & 0x3F))};
        }
        return {char(0xE0 | code >> 12), char(0x80 | (code >> 6 & 0x3F)), char(0x80 | (code & 0x3F))};
    }
};

inline Json parse_json(const std::string& source) { return JsonReader(source).read(); }
