package weights

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-acap/acap/llm/architecture"
)

// derived matches tensors of older folders that follow from config.json: angles of positions, and masks.
var derived = regexp.MustCompile(`(?:rotary_emb\.inv_freq|(?:attn|attention)\.(?:masked_)?bias|position_ids|rope_freqs)$`)

// besideLayers matches weights of the text model that are in no layer. A head beside the text model has its weights
// elsewhere.
var besideLayers = regexp.MustCompile(`^(?:(?:language_model|bert|roberta|distilbert)\.)?(?:(?:model|backbone|transformer|gpt_neox)\.(?:language_model\.)?[a-z_]+|embeddings\.\w+)\.(?:weight|bias)$`)

// aside are weights that no pass multiplies by: rows of them are looked up, or nothing asks for them where embeddings
// are made.
var aside = []string{"token_embd", "per_layer_token_embd", "position_embd", "token_types", "output"}

// unread says which tensor of the text model is in the folder and would not be computed with: scores would be others.
func (w *Folder) unread(d *architecture.Description) error {
	names, err := d.Members(w.Shape)
	if err != nil {
		return err
	}
	read := map[string]bool{}
	for _, name := range names {
		for _, t := range w.sources[name].tensors {
			read[t] = true
		}
	}
	for _, name := range aside {
		for _, kind := range []string{".weight", ".bias"} {
			for _, t := range w.sources[name+kind].tensors {
				read[t] = true
			}
		}
	}
	for _, name := range slices.Sorted(slices.Values(w.file.Names())) {
		m := inLayer.FindStringSubmatch(name)
		switch {
		case read[name] || derived.MatchString(name) || d.XIELU != nil && ofXIELU.MatchString(name):
		case m == nil:
			if besideLayers.MatchString(name) {
				return fmt.Errorf("%s is no weight of a %s that is known; without it scores would be others", name, d.Architecture)
			}
		default:
			switch layer, _ := strconv.Atoi(m[1]); {
			case layer >= d.Layers && layer < d.Layers+d.Guessing:
			case layer < d.Layers:
				return fmt.Errorf("%s is no weight of a %s that is known; without it scores would be others", name, d.Architecture)
			case d.Latent == nil: // DeepSeek has layers behind the last one, which guess
				return fmt.Errorf("%s is of a layer that config.json does not have; it says %d layers", name, d.Layers)
			}
		}
	}
	return nil
}
