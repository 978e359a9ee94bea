package llm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/config"
	"github.com/go-acap/acap/llm/embedding"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/text/tokenizer"
)

// folder is a folder of Hugging Face.
type folder string

// read returns a file, which the folder must have or may have: nil if there is none.
func (f folder) read(name string, must bool) ([]byte, error) {
	data, err := inputfile.Read(filepath.Join(string(f), name))
	switch {
	case errors.Is(err, os.ErrNotExist) && !must:
		return nil, nil
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("the folder has no %s, as folders of Hugging Face have; a GGUF file is named itself: %w", name, err)
		err = inputfile.InCache(string(f), err)
	}
	return data, err
}

// openFolder reads all but the weights of a folder of Hugging Face.
func (m *Model) openFolder(path string) (*architecture.Description, weights.Files, error) {
	files := folder(path)
	data, err := files.read("config.json", true)
	if err != nil {
		return nil, nil, err
	}
	d, a, err := architecture.FromConfig(data)
	if err != nil {
		return nil, nil, err
	}
	switch m.tokens, err = tokenizer.Open(filepath.Join(path, "tokenizer.json")); {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil, fmt.Errorf("the folder has no tokenizer.json; transformers writes it, also of a tokenizer.model: "+
			"AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR): %w", err)
	case err != nil:
		return nil, nil, err
	}
	var c config.Object
	if err := jsontext.Unmarshal(data, &c); err != nil {
		return nil, nil, err
	}
	m.ends = m.tokens.Ends()
	if err := m.endsOf("config.json", c); err != nil {
		return nil, nil, err
	}
	if err := m.folderGeneration(files, d.Vocabulary); err != nil {
		return nil, nil, err
	}
	if err := m.folderTemplate(files); err != nil {
		return nil, nil, err
	}
	if m.pipeline, err = embedding.FromFolder(path, d, files.read); err != nil {
		return nil, nil, err
	}
	w, err := weights.OpenFolder(path, d, a)
	if err != nil {
		return nil, nil, err
	}
	separator := 0
	if around, err := m.EncodePair("", ""); err == nil && len(around) == 3 { // one in front, one between and one behind
		separator = around[1]
	}
	if err := m.pipeline.ReadScores(w, d, c, separator); err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	tied := true
	if !c.Get(&tied, "tie_word_embeddings") { // a model that sees as well says it outside
		c.Part("text_config").Get(&tied, "tie_word_embeddings")
	}
	if !tied && !d.Encoder && w.Shape("output.weight") == nil {
		m.headless = true
	}
	return d, w, nil
}

// folderGeneration reads generation_config.json, if there is one: tokens that end an answer, and options of sampling.
func (m *Model) folderGeneration(files folder, vocabulary int) error {
	const name = "generation_config.json"
	data, err := files.read(name, false)
	if err != nil || data == nil {
		return err
	}
	var g config.Object
	if err := jsontext.Unmarshal(data, &g); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := m.endsOf(name, g); err != nil {
		return err
	}
	m.defaults, err = generationOptions(g, vocabulary, m.ends)
	return err
}

// endsOf reads the tokens that end an answer: one, or a list.
func (m *Model) endsOf(file string, c config.Object) error {
	const key = "eos_token_id"
	if err := c.CheckType(file, key, "number", "list"); err != nil {
		return err
	}
	var one int
	var list []int
	if c.Get(&one, key) {
		list = []int{one}
	} else if !c.Get(&list, key) && config.TypeOf(c.Value(key)) != "null" {
		return fmt.Errorf("%s: %s is %.40s; numbers of tokens are wanted", file, key, c[key])
	}
	m.ends = append(m.ends, list...)
	return nil
}

// folderTemplate reads the template of chats: a file of its own, or part of tokenizer_config.json.
func (m *Model) folderTemplate(files folder) error {
	special := map[string]string{}
	data, err := files.read("tokenizer_config.json", false)
	if err != nil {
		return err
	}
	var text string
	if data != nil {
		var c config.Object
		if err := jsontext.Unmarshal(data, &c); err != nil {
			return fmt.Errorf("tokenizer_config.json: %w", err)
		}
		for _, name := range []string{"bos_token", "eos_token", "unk_token", "pad_token"} {
			if err := c.CheckType("tokenizer_config.json", name, "string", "object"); err != nil {
				return err
			}
			var token struct{ Content string }
			if s := c.Text(name); s != "" {
				special[name] = s
			} else if c.Get(&token, name) {
				special[name] = token.Content
			}
		}
		var named []struct{ Name, Template string }
		if !c.Get(&text, "chat_template") && !c.Get(&named, "chat_template") && config.TypeOf(c.Value("chat_template")) != "null" {
			return fmt.Errorf("tokenizer_config.json: chat_template is %.40s; a string or a list of named templates is wanted", c["chat_template"])
		}
		for _, n := range named {
			if n.Name == "default" || text == "" {
				text = n.Template
			}
		}
	}
	if data, err = files.read("chat_template.jinja", false); err != nil {
		return err
	} else if data != nil {
		text = string(data)
	}
	if text == "" {
		return nil
	}
	m.template, err = newTemplate(text, special)
	return err
}
