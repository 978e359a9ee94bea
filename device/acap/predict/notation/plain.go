package notation

import "strings"

// symbols are the spellings that sources use for one thing.
var symbols = strings.NewReplacer("×", "x", "✕", "x", "→", "->", "⇒", "->", "µ", "u", "μ", "u",
	"\u00a0", " ", "✔", "✓", "✘", "✗")

// around are spaces at an operator between two numbers or words.
var around = Match(` *([/=]|->) *|(\d) *([x^*]) *(\d)`)

// Plain returns text in small letters, with one spelling of symbols and no spaces around
// operators: "L1 Tile 64 × 64" becomes "l1 tile 64x64".
func Plain(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(symbols.Replace(text))), " ")
	for { // matches share digits: 8 x 8 x 8
		next := around.ReplaceAllString(text, "$1$2$3$4")
		if next == text {
			return text
		}
		text = next
	}
}
