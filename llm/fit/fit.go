package fit

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/account"
)

// Options say for what a model is to fit.
type Options struct {
	Memory    int64            // bytes; 0 for what this process may use
	Length    int              // tokens of a sequence, prompt and answer; 0 for what llm.Load takes
	Sequences int              // at once, each of the length; 0 for 1
	Machine   *machine.Machine // on which time and energy are told, with keys and values of its own floating point; nil for none

	// CacheType and CacheFormat are as in llm.LoadOptions.
	CacheType   dtype.DType
	CacheFormat dtype.Format
}

// memory is the memory that there is.
func (o *Options) memory() int64 {
	if o.Memory == 0 {
		return buf.Limit()
	}
	return o.Memory
}

// IsLanguage reports whether a path names a language model: a GGUF file, or a folder with a config.json.
func IsLanguage(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return strings.EqualFold(filepath.Ext(path), ".gguf")
	}
	_, err = os.Stat(filepath.Join(path, "config.json"))
	return err == nil
}

// Model says what a language model takes that is loaded for sequences of a length. Errors are of the model's files and
// of negative options; a model that does not fit is no error, see [Report.Err].
func Model(path string, o Options) (*Report, error) {
	if o.Memory < 0 || o.Length < 0 || o.Sequences < 0 {
		return nil, fmt.Errorf("fit: %d bytes, %d tokens and %d sequences: want none to be negative", o.Memory, o.Length, o.Sequences)
	}
	outline, err := llm.Inspect(path)
	if err != nil {
		return nil, err
	}
	length := o.Length
	if length == 0 {
		length = min(4096, outline.Context)
	}
	sequences := max(o.Sequences, 1)
	options := func(length int) llm.LoadOptions {
		return llm.LoadOptions{Context: length, Sequences: sequences, CacheTokens: llm.EachContext, CacheType: o.CacheType, CacheFormat: o.CacheFormat}
	}
	f, err := outline.Footprint(options(length))
	if err != nil {
		return nil, fmt.Errorf("fit: %s: %w", path, err)
	}
	r := &Report{Model: path, Length: length, Sequences: sequences}
	d := &outline.Description
	r.What = fmt.Sprintf("%s, %d layers, %d wide, %d tokens in the vocabulary", d.Architecture, d.Layers, d.Width, d.Vocabulary)
	r.add("weights", f.Weights, "%s of them are the file's, which the system may drop and read again", buf.Size(f.Mapped))
	r.add("embeddings", f.Embeddings, "a table of f32, whose rows are looked up")
	r.add("cache", f.Cache, "keys and values of %d tokens of %d layers", length*sequences, d.Layers)
	r.add("activations", f.Activations, "between the kernels of the passes that fill a context")
	r.add("programs", f.Programs, "their code (estimate)")
	r.add("process", f.Process, "without a model")
	r.judge(o.memory())
	r.Longest = sort.Search(d.Context, func(n int) bool {
		f, err := outline.Footprint(options(n + 1))
		return err != nil || f.Total() > r.Memory
	})
	if o.Machine != nil {
		err = r.time(outline, o.Machine)
	}
	return r, err
}

// time tells what the passes that fill a context take on a machine.
func (r *Report) time(o *llm.Outline, m *machine.Machine) error {
	r.Machine = m.Name
	a := account.New(o, m)
	prompt, err := a.Prompt(max(r.Length-1, 1))
	if err != nil {
		return err
	}
	r.Prompt = &prompt
	if o.Encoder {
		return nil
	}
	token, err := a.Pass(llm.Pass{Sequences: r.Sequences, Tokens: 1, Seen: r.Length})
	r.Token = &token
	return err
}
