package embedding

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/config"
)

// Reader reads a file of a folder, or returns nil for one that is missing and need not be there.
type Reader func(name string, must bool) ([]byte, error)

// FromFolder reads modules.json of a folder and the files that it names. A folder without modules.json has an empty
// pipeline. The pooling and the most tokens of a text that the files tell are written into the description. A file that
// is missing or has an entry that this package does not know is an error, which names the file.
func FromFolder(path string, d *architecture.Description, read Reader) (*Pipeline, error) {
	p := &Pipeline{}
	if err := p.readModules(path, d, read); err != nil {
		return nil, err
	}
	return p, nil
}

// readModules reads modules.json and the files that it names.
func (p *Pipeline) readModules(path string, d *architecture.Description, read Reader) error {
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
			p.layers = append(p.layers, layer)
			width = layer.outputs
		case kind == "Normalize" && i == len(modules)-1:
		default:
			return fmt.Errorf("modules.json: %s as part %d is not known; there are a Transformer, a Pooling, Dense layers, and Normalize at the end", module.Type, i)
		}
	}
	return p.readSettings(d, read)
}

// readSettings reads what is done with texts before they are tokens.
func (p *Pipeline) readSettings(d *architecture.Description, read Reader) error {
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
	both.Get(&p.lower, "do_lower_case")
	if most := 0; both.Get(&most, "max_seq_length") && most > 0 {
		d.Context = min(d.Context, most)
	}
	if name := both.Text("default_prompt_name"); name != "" {
		prompts := both.Part("prompts")
		if _, ok := prompts[name]; !ok {
			return fmt.Errorf("config_sentence_transformers.json: default_prompt_name is %q, which is none of the prompts", name)
		}
		p.prompt = prompts.Text(name)
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
