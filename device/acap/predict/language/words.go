package language

import "github.com/go-acap/acap/device/acap/predict/notation"

var (
	biasNote     = notation.Match(`\b(?:(no|without) )?(?:[qkv/]+[ -])?bias(?:es)?\b`)
	headNormNote = notation.Match(`\b(?:(no|without) )?(?:norms? of heads|head[ -]norms?|qk?/?k?[ -]?norms?|norm q\b)`)
	// families are models by their names, and what those have that rows need not say.
	families = []struct {
		name             *notation.Pattern
		biases, headNorm bool
	}{{notation.Match(`\bqwen-?2`), true, false}, {notation.Match(`\bqwen-?3|\bgemma-?3`), false, true}}

	packedNote   = notation.Match(`\bawq\b|\bq4|\b(?:int|w)4\b|\b4[- ]bit`)
	positionNote = notation.Match(`\b(?:position|context|cache|sequence)(?: of| length)? (\d+)`)
	sequenceNote = notation.Match(`\bsequence (\d+)`)
	programsNote = notation.Match(`(\d+) programs a layer(?: and the head)?(?:: *(.*))?`)
)

// has tells whether projections have biases and heads norms: by what rows of the model say, else by its name.
func (d *Decoder) has(said string) (biases, headNorm bool) {
	for _, f := range families {
		if f.name.MatchString(notation.Plain(d.Name)) {
			biases, headNorm = f.biases, f.headNorm
		}
	}
	if g := biasNote.FindStringSubmatch(said); g != nil {
		biases = g[1] == ""
	}
	if g := headNormNote.FindStringSubmatch(said); g != nil {
		headNorm = g[1] == ""
	}
	return biases, headNorm
}

// positionOf is the tokens before the one that is decoded, 0 where the row does not say.
func positionOf(text string) int {
	if v := notation.Numbers(positionNote, text); v != nil && v[0] <= maxWidth {
		return v[0]
	}
	return 0
}

// sequence is the tokens of a prefill.
func sequence(text string) int {
	if v := notation.Numbers(sequenceNote, text); v != nil && v[0] <= maxWidth {
		return v[0]
	}
	return 2048
}
