// <format> for compilers whose library lacks it (g++ before 13). z3 uses only plain "{}" fields, so that is all this does.
#pragma once
#include <sstream>
#include <string>
#include <string_view>
namespace std {
inline void cc_format_into(ostringstream &out, string_view text) { out << text; }
template <class First, class... Rest> void cc_format_into(ostringstream &out, string_view text, First const &first, Rest const &...rest) {
    const size_t at = text.find("{}");
    out << text.substr(0, at);
    if (at == string_view::npos) return;
    out << first;
    cc_format_into(out, text.substr(at + 2), rest...);
}
template <class... Args> string format(string_view text, Args const &...args) {
    ostringstream out;
    cc_format_into(out, text, args...);
    return out.str();
}
} // namespace std
