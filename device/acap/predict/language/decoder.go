package language

import "strings"

// Decoder is the configuration of a language model: layers of grouped attention with
// rotary positions and of a gated SiLU, RMS norms before both, and a tied head.
type Decoder struct {
	Name     string `json:"model"`
	Layers   int    `json:"layers"`
	Emb      int    `json:"emb"`
	Heads    int    `json:"q_heads"`
	KVHeads  int    `json:"kv_heads"`
	HeadDim  int    `json:"head_dim"`
	Hidden   int    `json:"hidden"`
	Vocab    int    `json:"vocab"`
	Biases   bool   `json:"biases,omitempty"`     // of queries, keys and values
	HeadNorm bool   `json:"head_norms,omitempty"` // RMS norms of the heads of queries and keys
	Packed   bool   `json:"packed,omitempty"`     // weights of layers have 4 bits where one token is decoded
}

func (d *Decoder) q() int  { return d.Heads * d.HeadDim }
func (d *Decoder) kv() int { return d.KVHeads * d.HeadDim }

// layerPrograms returns the lists of launches of the programs of a layer: those that a row
// of the model says, or those that the builders of such models make.
func layerPrograms(d *Decoder, tokens int, rows []Row) []string {
	phase, few := "decode", d.Emb < 2560 && d.Hidden%512 == 0
	if tokens > 1 {
		phase, few = "prefill", d.Hidden%1024 == 0
	}
	for _, r := range rows {
		if r.Name != d.Name || r.Phase != phase {
			continue
		}
		if g := programsNote.FindStringSubmatch(r.Launches); g != nil {
			few = g[1] == "2" || g[1] == "3"
			if list := strings.Split(g[2], ";"); len(list) > 1 {
				return list
			}
		}
	}
	before := "rmsnorm+qkv"
	if d.Biases {
		before += "+biases"
	}
	if d.HeadNorm {
		before += "+norms of heads"
	}
	before += "+rope"
	switch {
	case tokens > 1 && few:
		return []string{before, "attention", "o+ffn"}
	case tokens > 1:
		return []string{before, "attention", "o+add+rmsnorm", "gate+up", "silu_mul", "down+add"}
	case few:
		return []string{before, "o+ffn"}
	}
	return []string{before, "o", "gate", "up", "down"}
}
