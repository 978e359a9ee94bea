package embedding

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/config"
	"github.com/go-acap/acap/llm/weights"
)

// heads are the layers that score pairs of texts in folders, by the class of the model: one with a function and a norm,
// which may be missing, and one with one output.
var heads = map[string]struct{ first, norm, last, function string }{
	"BertForSequenceClassification":       {"bert.pooler.dense", "", "classifier", "Tanh"},
	"RobertaForSequenceClassification":    {"classifier.dense", "", "classifier.out_proj", "Tanh"},
	"XLMRobertaForSequenceClassification": {"classifier.dense", "", "classifier.out_proj", "Tanh"},
	"CamembertForSequenceClassification":  {"classifier.dense", "", "classifier.out_proj", "Tanh"},
	"DistilBertForSequenceClassification": {"pre_classifier", "", "classifier", "ReLU"},
	"ModernBertForSequenceClassification": {"head.dense", "head.norm", "classifier", "GELU"},
	"Qwen3ForSequenceClassification":      {"", "", "score", ""},
}

// ReadScores reads the layers of a folder that score pairs of texts, where config.json says that there are such layers
// with one output. Then the description has the pooling "rank". The separator is the token between two texts, 0 where
// the tokenizer puts none.
func (p *Pipeline) ReadScores(w *weights.Folder, d *architecture.Description, c config.Object, separator int) error {
	var classes []string
	c.Get(&classes, "architectures")
	if len(classes) != 1 || d.Pooling != "" || p.layers != nil {
		return nil
	}
	head, ok := heads[classes[0]]
	if !ok || len(w.Named(head.last+".weight")) == 0 || w.Named(head.last + ".weight")[0] != 1 {
		return nil
	}
	if types := w.Shape("token_types.weight"); classes[0] == "BertForSequenceClassification" && types != nil && types[0] > 1 {
		if separator == 0 {
			return errors.New("tokenizer.json puts no token between two texts, behind which those of a BERT have another type")
		}
		d.Separator = separator
	}
	width := d.Width
	for _, name := range []string{head.first, head.last} {
		if name == "" {
			continue
		}
		layer := &dense{name: name, function: "torch.nn.modules.linear.Identity"}
		if name == head.first {
			layer.function = "torch.nn.modules.activation." + head.function
		}
		var err error
		for _, part := range []struct {
			name string
			to   *[]float32
			must bool
		}{{name + ".weight", &layer.weight, true}, {name + ".bias", &layer.bias, false}} {
			if w.Named(part.name) == nil && !part.must {
				continue
			}
			if *part.to, err = w.NumbersOf(part.name); err != nil {
				return err
			}
		}
		layer.outputs = len(layer.weight) / width
		if err := layer.check(width); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if name == head.first && head.norm != "" {
			if layer.norm, err = w.NumbersOf(head.norm + ".weight"); err != nil {
				return err
			}
			if w.Named(head.norm+".bias") != nil || len(layer.norm) != layer.outputs {
				return fmt.Errorf("%s.weight has %d elements, want %d and no bias", head.norm, len(layer.norm), layer.outputs)
			}
		}
		p.scores, width = append(p.scores, layer), layer.outputs
	}
	d.Pooling, d.ScoredRow = "rank", "cls"
	if !d.Encoder {
		d.ScoredRow = "last"
	}
	switch kind := c.Text("classifier_pooling"); {
	case !strings.HasPrefix(classes[0], "ModernBert"), kind == "cls", kind == "":
	case kind == "mean":
		d.ScoredRow = kind
	default:
		return fmt.Errorf("config.json: classifier_pooling is %q; there are cls and mean", kind)
	}
	if kind := c.Text("classifier_activation"); kind != "" && kind != "gelu" {
		return fmt.Errorf("config.json: classifier_activation is %q; there is gelu", kind)
	}
	return nil
}
