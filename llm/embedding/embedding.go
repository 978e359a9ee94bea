package embedding

import (
	"math"
	"strings"

	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/weights"
)

// Pipeline is the work on a text beside its model.
type Pipeline struct {
	prompt string // in front of each text
	lower  bool   // texts are in small letters
	layers []*dense
	scores []*dense // of a model that scores pairs of texts
}

// FromGGUF reads the layers behind the pooling, or those that score pairs of texts, which a GGUF file of the described
// model has. A layer that does not take what the one before gives is an error.
func FromGGUF(w *weights.GGUF, d *architecture.Description) (p *Pipeline, err error) {
	p = &Pipeline{}
	if d.Pooling == "rank" {
		p.scores, err = scoresOf(w, d)
	} else {
		p.layers, err = denseOf(w, d.Width)
	}
	return p, err
}

// Text returns a text with the prompt and in the letters that the model wants.
func (p *Pipeline) Text(text string) string {
	text = p.prompt + text
	if p.lower {
		text = strings.ToLower(text)
	}
	return text
}

// Vector makes one vector of length 1 of the rows of a text.
func (p *Pipeline) Vector(d *architecture.Description, rows []float32) []float32 {
	v := p.Pooled(d, rows)
	normalize(v)
	return v
}

// Pooled makes one vector of the rows of a text.
func (p *Pipeline) Pooled(d *architecture.Description, rows []float32) []float32 {
	kind := d.Pooling
	if kind == "" || kind == "none" {
		kind = "last"
		if d.Encoder {
			kind = "mean"
		}
	}
	v := pooled(rows, d.Width, kind)
	for _, layer := range p.layers {
		v = layer.of(v)
	}
	return v
}

// Score is how well the second one of two texts answers the first one, by their rows.
func (p *Pipeline) Score(d *architecture.Description, rows []float32) float32 {
	v := pooled(rows, d.Width, d.ScoredRow)
	for _, layer := range p.scores {
		v = layer.of(v)
		if layer.norm != nil {
			layer.normed(v, d.Epsilon)
		}
	}
	if len(v) == 2 { // scores of "yes" and "no": the probability of the first
		return float32(1 / (1 + math.Exp(float64(v[1])-float64(v[0]))))
	}
	return v[0]
}

// Width is the number of elements of a vector of a model.
func (p *Pipeline) Width(d *architecture.Description) int {
	if n := len(p.layers); n > 0 {
		return p.layers[n-1].outputs
	}
	return d.Width
}

// normalize divides a vector by its length, unless that is 0 or NaN.
func normalize(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum > 0 {
		for i := range v {
			v[i] = float32(float64(v[i]) / math.Sqrt(sum))
		}
	}
}

// Shortened returns the first numbers of an embedding, divided by their length, for models that were trained to be
// shortened. The embedding is changed; one that has no more numbers is returned as it is. A negative width panics.
func Shortened(embedding []float32, width int) []float32 {
	if width < len(embedding) {
		embedding = embedding[:width]
		normalize(embedding)
	}
	return embedding
}
