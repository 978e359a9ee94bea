package llm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/config"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor/safetensors"
)

// sentences is what a folder of sentence-transformers does with a text beside its model.
type sentences struct {
	prompt string // in front of each text
	lower  bool   // texts are in small letters
	layers []*dense
}

// readSentences reads modules.json and what it names. Folders that have none are as they are.
func (m *Model) readSentences(path string, d *architecture.Description, read func(name string, must bool) ([]byte, error)) error {
	data, err := read("modules.json", false)
	if err != nil || data == nil {
		return err
	}
	var modules []struct{ Path, Type string }
	if err := jsontext.Unmarshal(data, &modules); err != nil {
		return fmt.Errorf("modules.json: %w", err)
	}
	width, pooled := d.Width, false
	for i, module := range modules {
		kind := module.Type[strings.LastIndexByte(module.Type, '.')+1:]
		settings := func(must bool) (config.Object, error) {
			name := filepath.ToSlash(filepath.Join(module.Path, "config.json"))
			var c config.Object
			data, err := read(name, must)
			if err == nil && data != nil {
				if err = jsontext.Unmarshal(data, &c); err != nil {
					err = fmt.Errorf("%s: %w", name, err)
				}
			}
			return c, err
		}
		switch {
		case !filepath.IsLocal(module.Path) && module.Path != "":
			return fmt.Errorf("modules.json: the path %q leaves the folder", module.Path)
		case i == 0 && kind == "Transformer":
			if module.Path != "" && module.Path != "." {
				return fmt.Errorf("modules.json: the model is in the folder %s; it must be where modules.json is", module.Path)
			}
		case kind == "Pooling" && !pooled:
			c, err := settings(true)
			if err != nil {
				return err
			}
			if d.Pooling, err = poolingOf(c); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(module.Path, "config.json"), err)
			}
			pooled = true
		case kind == "Dense" && pooled:
			c, err := settings(true)
			if err != nil {
				return err
			}
			layer, err := readDense(filepath.Join(path, module.Path), c, width)
			if err != nil {
				return fmt.Errorf("%s: %w", module.Path, err)
			}
			m.sentences.layers = append(m.sentences.layers, layer)
			width = layer.outputs
		case kind == "Normalize" && i == len(modules)-1:
		default:
			return fmt.Errorf("modules.json: %s as part %d is not known; there are a Transformer, a Pooling, Dense layers, and Normalize at the end", module.Type, i)
		}
	}
	return m.sentenceSettings(d, read)
}

// sentenceSettings reads what is done with texts before they are tokens.
func (m *Model) sentenceSettings(d *architecture.Description, read func(name string, must bool) ([]byte, error)) error {
	both := config.Object{}
	for _, name := range []string{"sentence_bert_config.json", "config_sentence_transformers.json"} {
		data, err := read(name, false)
		if err != nil {
			return err
		}
		if data != nil {
			if err := jsontext.Unmarshal(data, &both); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	both.Get(&m.sentences.lower, "do_lower_case")
	if most := 0; both.Get(&most, "max_seq_length") && most > 0 {
		d.Context = min(d.Context, most)
	}
	if name := both.Text("default_prompt_name"); name != "" {
		prompts := both.Part("prompts")
		if _, ok := prompts[name]; !ok {
			return fmt.Errorf("config_sentence_transformers.json: default_prompt_name is %q, which is none of the prompts", name)
		}
		m.sentences.prompt = prompts.Text(name)
	}
	return nil
}

// poolingOf reads the settings of a Pooling: one name, or a truth value for each.
func poolingOf(c config.Object) (string, error) {
	var names []string
	for key := range c {
		if name, ok := strings.CutPrefix(key, "pooling_mode_"); ok {
			if on := false; c.Get(&on, key) && on {
				names = append(names, name)
			}
		}
	}
	if name := c.Text("pooling_mode"); name != "" {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) != 1 || poolings[names[0]] == "" {
		return "", fmt.Errorf("the pooling %q is not known; there is one of cls_token, mean_tokens, max_tokens, mean_sqrt_len_tokens, "+
			"weightedmean_tokens and lasttoken", strings.Join(names, " and "))
	}
	if include := true; c.Get(&include, "include_prompt") && !include {
		return "", errors.New("include_prompt must be true: rows of a prompt are pooled with the text's")
	}
	return poolings[names[0]], nil
}

// denseOf are the layers behind the pooling that a GGUF file has.
func denseOf(w *weights.GGUF, width int) (list []*dense, err error) {
	for _, name := range []string{"dense_2", "dense_3"} {
		if w.Shape(name+".weight") == nil {
			continue
		}
		t, err := w.Tensor(name + ".weight")
		if err != nil {
			return nil, err
		}
		d := &dense{outputs: t.Size(0), weight: t.Float32s(), function: "torch.nn.modules.linear.Identity"}
		if err := d.check(width); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list, width = append(list, d), d.outputs
	}
	return list, nil
}

// readDense reads the layer in a folder, which takes a vector of a width.
func readDense(path string, c config.Object, width int) (*dense, error) {
	d := &dense{function: "torch.nn.modules.activation.Tanh"}
	inputs, bias := width, true
	c.Get(&inputs, "in_features")
	c.Get(&d.outputs, "out_features")
	c.Get(&bias, "bias")
	c.Get(&d.function, "activation_function")
	if denseFunctions[d.function] == nil {
		return nil, fmt.Errorf("the function %q is not known", d.function)
	}
	if inputs != width || d.outputs < 1 {
		return nil, fmt.Errorf("in_features is %d and out_features %d, for a vector of %d", inputs, d.outputs, width)
	}
	f, err := safetensors.Open(filepath.Join(path, "model.safetensors"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("weights of a Dense are read from model.safetensors, which sentence-transformers writes: %w", err)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	values := func(name string) ([]float32, error) {
		b, err := f.Tensor(name)
		if err != nil {
			return nil, err
		}
		v, err := config.Floats(b)
		return slices.Clone(v), err
	}
	if d.weight, err = values("linear.weight"); err != nil {
		return nil, err
	}
	if bias {
		if d.bias, err = values("linear.bias"); err != nil {
			return nil, err
		}
	}
	return d, d.check(width)
}
