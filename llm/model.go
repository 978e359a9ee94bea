package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/embedding"
	"github.com/go-acap/acap/llm/grammar"
	"github.com/go-acap/acap/llm/network"
	"github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/gguf"
	"github.com/go-acap/acap/text/tokenizer"
)

// LoadOptions say how a model is held. The zero value is a device of the default machine and one sequence of up to 4096
// tokens.
type LoadOptions struct {
	Device      device.Device // where the model runs; nil for acap.Device()
	Context     int           // most tokens of a sequence; 0 for 4096, or less if the model was made for less
	CacheTokens int           // tokens of all sequences that the cache of keys and values has room for, rounded up to pages of 32; 0 for Context
	Sequences   int           // most sequences that are computed at once; 0 for 1
	CacheType   dtype.DType   // of keys and values in the cache: dtype.F32, F16 or BF16; the zero value for F16, or for F32 if Exact. Attention computes in f32
	CacheFormat dtype.Format  // of blocks of 8 bits in the cache, dtype.Q8_0; the zero value for CacheType
	Exact       bool          // rows are multiplied by packed weights in f32; without it they are rounded to 8 bits where that is faster

	Draft         string    // a smaller model with the same vocabulary, which guesses tokens
	DraftTokens   int       // guesses at once; 0 for 4
	Adapters      []string  // files or folders of LoRA adapters
	AdapterScales []float64 // what each adapter adds is multiplied by these, beside the adapter's own scale; nil for 1
}

// Model is a language model with its tokenizer. It may be used from many goroutines: their sequences are computed
// together.
type Model struct {
	*described
	network  *network.Network
	tokens   *tokenizer.Tokenizer
	template *template           // of chats; nil if the file has none
	pipeline *embedding.Pipeline // of embeddings
	ends     []int               // tokens that end an answer, a few
	headless bool                // the folder has a model without its head, for embeddings
	defaults Options             // of generation_config.json, or of the metadata of a GGUF file
	options  LoadOptions
	engine   *engine
	draft    *Model
	adapters []Adapter
	pairs    string // the prompt of a pair of texts, with {query} and {document}; "" where the tokenizer joins these
	trained  int    // tokens of the context that the files say

	embedding sync.RWMutex // held for reading by what reads files outside of the engine, and for writing by Close

	textsOnce sync.Once
	texts     *grammar.Texts // of the tokens
}

// described has the names of a description without its type's name.
type described = architecture.Description

// WeightBytes is the memory of the weights that are read for each token, as they are held.
func (m *Model) WeightBytes() int64 { return m.network.WeightBytes() }

// CacheBytes is the memory of the keys and values, or of the state, that a token reads behind the given number of
// tokens, with its own.
func (m *Model) CacheBytes(tokens int) int64 { return m.network.CacheBytes(tokens) }

// Trained is the longest context that the files of the model say; [Model.Limit] is what it was loaded with.
func (m *Model) Trained() int { return m.trained }

// Load opens a model: a GGUF file, or a folder with config.json, safetensors and tokenizer.json. Errors name the file
// and the key, weight or token that is wrong.
func Load(path string, o LoadOptions) (*Model, error) {
	m := &Model{options: o, pipeline: &embedding.Pipeline{}}
	var err error
	if failed := tensor.Try(func() { err = m.load(path) }); failed != nil {
		err = failed
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("llm: %w", inputfile.Named(path, err)), m.Close())
	}
	return m, nil
}

func (m *Model) load(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%w; a GGUF file or a folder of Hugging Face is wanted, and models are not fetched", err)
	case err != nil:
		return err
	case filepath.Ext(path) == ".safetensors":
		return errors.New("these are weights alone; name the folder with config.json and tokenizer.json beside them")
	}
	var d *architecture.Description
	var w weights.Files
	if info.IsDir() {
		d, w, err = m.openFolder(path)
	} else {
		d, w, err = m.openGGUF(path)
	}
	if err != nil {
		return err
	}
	m.ends = slices.DeleteFunc(m.ends, func(t int) bool { return t < 0 || t >= d.Vocabulary })
	o := &m.options
	if o.Device == nil {
		o.Device = acap.Device()
	}
	if err := o.complete(d); err != nil {
		return err
	}
	m.trained, d.Context = d.Context, o.Context
	if bytes, most := cacheBytes(d, o), buf.Limit(); bytes > most && !d.Encoder {
		return fmt.Errorf("the cache of keys and values for %d tokens takes %s, and the limit is %s (lazy.MemoryLimit, ACAP_MEMORY): "+
			"fewer CacheTokens (-cache), Sequences (-parallel) or Context (-context), or another CacheType (-cache-type) take less", o.CacheTokens, buf.Size(bytes), buf.Size(most))
	}
	if m.network, err = network.New(d, w, network.Options{Device: o.Device, Exact: o.Exact, Storage: o.kept()}); err != nil {
		return err
	}
	m.described = &m.network.Description
	if o.Draft != "" {
		if m.Stateful() {
			return errors.New("LoadOptions.Draft: a layer of the model keeps a state, which has no way back from what a draft guessed wrong")
		}
		m.network.SetSpans(cache.Span{})
	}
	if err := m.adapt(o.Adapters, o.AdapterScales); err != nil {
		return err
	}
	if o.Draft != "" {
		if m.draft, err = m.loadDraft(o.Draft); err != nil {
			return fmt.Errorf("draft: %w", err)
		}
	}
	if !m.Encoder {
		m.engine = newEngine(m)
	}
	return nil
}

// complete puts numbers in the place of zeros, and says which number no model of the description can have.
func (o *LoadOptions) complete(d *architecture.Description) error {
	if o.Context == 0 {
		o.Context = min(4096, d.Context)
	}
	if o.Context < 1 || o.Context > d.Context {
		return fmt.Errorf("a context of %d tokens; the model was made for up to %d", o.Context, d.Context)
	}
	if err := o.completeCache(d); err != nil {
		return err
	}
	switch {
	case o.Sequences == 0:
		o.Sequences = 1
	case o.Sequences < 0:
		return fmt.Errorf("LoadOptions.Sequences is %d, want at least 1, or 0 for 1", o.Sequences)
	}
	switch {
	case o.DraftTokens == 0:
		o.DraftTokens = 4
	case o.DraftTokens < 0:
		return fmt.Errorf("LoadOptions.DraftTokens is %d, want at least 1, or 0 for 4", o.DraftTokens)
	}
	o.CacheTokens = schedule.CacheTokens(o.CacheTokens, o.Context, o.Sequences)
	if o.CacheTokens < 1 {
		return fmt.Errorf("LoadOptions.CacheTokens is %d, want at least 1, 0 for the context, or EachContext", o.CacheTokens)
	}
	return nil
}

// completeCache chooses what keys and values are kept as, where the options say nothing.
func (o *LoadOptions) completeCache(d *architecture.Description) error {
	switch t, f := o.CacheType, o.CacheFormat; {
	case f == dtype.Plain && t == dtype.Invalid && o.Exact:
		o.CacheType = dtype.F32
	case f == dtype.Plain && t == dtype.Invalid:
		o.CacheType = dtype.F16
	case t != dtype.Invalid && t != dtype.F32 && t != dtype.F16 && t != dtype.BF16:
		return fmt.Errorf("LoadOptions.CacheType is %v; keys and values are kept as f32, f16 or bf16", t)
	case f == dtype.Plain:
	case f != dtype.Q8_0:
		return fmt.Errorf("LoadOptions.CacheFormat is %v; keys and values are kept in blocks of q8_0, or in none", f)
	case t != dtype.Invalid:
		return fmt.Errorf("LoadOptions.CacheType is %v and CacheFormat %v; one of them is wanted", t, f)
	case d.HeadWidth%f.Block() != 0 || d.ValueWidth%f.Block() != 0 || d.LocalWidth()%f.Block() != 0:
		return fmt.Errorf("LoadOptions.CacheFormat is %v, whose blocks have %d numbers; the model's keys have %d and its values %d", f, f.Block(),
			d.HeadWidth, d.ValueWidth)
	}
	return nil
}

// loadDraft loads the model that guesses.
func (m *Model) loadDraft(path string) (*Model, error) {
	d := &Model{options: LoadOptions{Device: m.options.Device, Context: m.options.Context, CacheType: m.options.CacheType, CacheFormat: m.options.CacheFormat, Exact: m.options.Exact}}
	if err := d.load(path); err != nil {
		return nil, err
	}
	if d.Stateful() {
		return nil, errors.Join(errors.New("a layer of the draft keeps a state, which has no way back from a wrong guess"), d.Close())
	}
	d.network.SetSpans(cache.Span{})
	if d.tokens.Size() != m.tokens.Size() || d.Vocabulary < m.tokens.Size() {
		return nil, errors.Join(fmt.Errorf("it has %d tokens and the model %d; a draft needs the same vocabulary", d.tokens.Size(), m.tokens.Size()), d.Close())
	}
	for i := range d.tokens.Size() {
		if d.tokens.Token(i) != m.tokens.Token(i) {
			return nil, errors.Join(fmt.Errorf("its token %d is %q and the model's %q; a draft needs the same vocabulary", i, d.tokens.Token(i), m.tokens.Token(i)), d.Close())
		}
	}
	return d, nil
}

// openGGUF reads all but the weights of a file.
func (m *Model) openGGUF(path string) (*architecture.Description, weights.Files, error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, nil, err
	}
	d, err := architecture.FromGGUF(f)
	if err == nil {
		m.tokens, err = tokenizer.FromGGUF(f)
	}
	if err == nil {
		m.defaults, err = recommended(f, d.Vocabulary)
	}
	var w *weights.GGUF
	if err == nil {
		w, err = weights.OpenGGUF(f, d)
	}
	if err == nil && (d.Encoder || d.Pooling == "rank") {
		m.pipeline, err = embedding.FromGGUF(w, d)
	}
	if err == nil {
		if text, ok := f.Metadata["tokenizer.chat_template"].(string); ok {
			m.template, err = newTemplate(text, m.specialTexts(f))
		}
		m.pairs, _ = f.Metadata["tokenizer.chat_template.rerank"].(string)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	m.ends = m.tokens.Ends()
	return d, w, nil
}

// specialTexts are the tokens that templates name.
func (m *Model) specialTexts(f *gguf.File) map[string]string {
	out := map[string]string{}
	for name, key := range map[string]string{"bos_token": "bos", "eos_token": "eos", "unk_token": "unknown", "pad_token": "padding"} {
		if id, ok := f.Metadata["tokenizer.ggml."+key+"_token_id"].(uint64); ok && id < 1<<31 {
			out[name] = m.tokens.Token(int(id))
		}
	}
	return out
}

// Close ends the model. Answers that are being generated end with [ErrClosed].
func (m *Model) Close() error {
	if m.engine != nil {
		m.engine.close()
	}
	var err error
	if m.draft != nil {
		err = m.draft.Close()
	}
	m.embedding.Lock()
	defer m.embedding.Unlock()
	if m.network != nil && m.network.Files != nil {
		err = errors.Join(err, m.network.Files.Close())
		m.network.Files = nil
	}
	return err
}

// Tokenizer returns what makes tokens of texts.
func (m *Model) Tokenizer() *tokenizer.Tokenizer { return m.tokens }

// Stats returns what the model has done.
func (m *Model) Stats() Stats {
	if m.engine == nil {
		return Stats{}
	}
	return m.engine.snapshot()
}

// The names that package sampling gives options and results of the choice of tokens.
type (
	Sampling     = sampling.Options
	DRY          = sampling.DRY
	SequenceBias = sampling.SequenceBias
	Choice       = sampling.Choice
)

// Options say what is generated.
type Options struct {
	Sampling
	MaxTokens int              // 0 for as many as the context and the cache have room for
	Shorter   bool             // an answer that the cache has no room for ends where the cache does
	Stop      []string         // texts; the answer ends in front of the first one
	Logprobs  int              // 1 gives the logarithm of each token's probability; n+1 the logarithms of the n most likely tokens as well
	Grammar   *grammar.Grammar // what the answer may be; nil for anything
	IgnoreEnd bool             // goes on where the model would end
	Literal   bool             // names of special tokens in a prompt are text
}

// check names the first option that says nothing.
func (o *Options) check(vocabulary int) error {
	switch {
	case o.MaxTokens < 0:
		return fmt.Errorf("option MaxTokens is %d, want at least 1, or 0 for as many as the context and the cache have room for", o.MaxTokens)
	case o.Logprobs < 0:
		return fmt.Errorf("option Logprobs is %d, want at least 1, or 0 for none", o.Logprobs)
	case o.Grammar != nil && o.Grammar.Empty():
		return errors.New("option Grammar has no rules; package llm/grammar makes grammars of rules and of schemas")
	case slices.Contains(o.Stop, ""):
		return errors.New("option Stop has an empty text, which would end any answer at once")
	}
	return o.Sampling.Check(vocabulary)
}

// Piece is a token of an answer, with the text that it completes: the bytes of one character may come with several
// tokens, and then with the last of these.
type Piece struct {
	Text    string
	Token   int
	Logprob float64  // of the token, if asked for
	Top     []Choice // the most likely tokens, if asked for

	Reasoning string // in front of an answer to a chat; of [Model.Chat]

	Finish       string // of the last piece: "stop" or "length"
	Stop         string // the text of Options.Stop that ended the answer; of the last piece
	PromptTokens int
	ReusedTokens int // of the prompt, whose keys and values were in the cache
}

// Generate goes on behind a prompt. Pieces come as they are generated; the last one says why it is the last. The
// context and the end of the loop cancel. The tokens of an answer that is alone are computed as the loop asks for them.
func (m *Model) Generate(ctx context.Context, prompt string, o Options) iter.Seq2[Piece, error] {
	tokens, err := m.tokens.Encode(prompt, tokenizer.EncodeOptions{Special: true, Whole: true, Literal: o.Literal})
	if err != nil {
		return failed(err)
	}
	return m.GenerateTokens(ctx, tokens, o)
}

// failed is an answer that is an error.
func failed(err error) iter.Seq2[Piece, error] {
	return func(yield func(Piece, error) bool) { yield(Piece{}, err) }
}

// encode makes tokens of a text as the model wants them.
func (m *Model) encode(text string) ([]int, error) {
	return m.tokens.Encode(text, tokenizer.EncodeOptions{Special: true, Whole: true})
}

// GenerateTokens is [Model.Generate] for a prompt in tokens.
func (m *Model) GenerateTokens(ctx context.Context, prompt []int, o Options) iter.Seq2[Piece, error] {
	return func(yield func(Piece, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		s, err := m.start(ctx, prompt, o)
		if err != nil {
			cancel()
			yield(Piece{}, err)
			return
		}
		defer func() {
			cancel()
			m.engine.recall()
		}()
		for {
			list, err := m.engine.take(s)
			if err != nil {
				yield(Piece{}, err)
				return
			}
			for _, p := range list {
				if !yield(p, nil) {
					return
				}
			}
			if len(list) == 0 || list[len(list)-1].Finish != "" {
				return
			}
		}
	}
}

// Answers returns why the model generates nothing: an encoder, and a folder without a head, make embeddings alone. The
// error is nil if the model generates.
func (m *Model) Answers() error {
	switch {
	case m.engine == nil:
		return fmt.Errorf("llm: a model of the architecture %s makes embeddings and generates nothing", m.Architecture)
	case m.headless:
		return errors.New("llm: the folder has no lm_head.weight, and config.json says that the head is not tied to the embeddings; " +
			"it makes embeddings and generates nothing")
	}
	return nil
}

// start gives a sequence to the engine.
func (m *Model) start(ctx context.Context, prompt []int, o Options) (*answer, error) {
	if err := m.Answers(); err != nil {
		return nil, err
	}
	if len(prompt) == 0 {
		return nil, errors.New("llm: the prompt is empty, and the model has no token to begin with")
	}
	if len(prompt) >= m.Context {
		return nil, fmt.Errorf("llm: the prompt has %d tokens, which leaves no room in a context of %d", len(prompt), m.Context)
	}
	for _, t := range prompt {
		if t < 0 || t >= m.Vocabulary {
			return nil, fmt.Errorf("llm: token %d of the prompt is none of the %d tokens", t, m.Vocabulary)
		}
	}
	if err := o.check(m.Vocabulary); err != nil {
		return nil, fmt.Errorf("llm: %w", err)
	}
	if v := o.Grammar.Vocabulary(); v != nil && v != m.tokens {
		return nil, errors.New("llm: option Grammar names tokens of another vocabulary than the model's; parse it with Model.Tokenizer()")
	}
	limit := m.Context
	if o.MaxTokens > 0 {
		limit = min(limit, len(prompt)+o.MaxTokens)
	}
	sampler, err := sampling.New(o.Sampling, m.tokens)
	if err != nil {
		return nil, fmt.Errorf("llm: %w", err)
	}
	stream := m.tokens.StreamBehind(prompt)
	if err := stream.Err(); err != nil {
		return nil, fmt.Errorf("llm: the prompt: %w", err)
	}
	s := &answer{Sequence: &cache.Sequence{Tokens: slices.Clone(prompt), Prompt: len(prompt), Limit: limit}, ctx: ctx, options: o, sampler: sampler,
		text: &textOut{stream: stream, stops: o.Stop}, out: newQueue()}
	s.Owner = s
	if o.Grammar != nil {
		s.mask = newConstraint(m, o.Grammar)
	}
	return s, m.engine.add(s)
}

// Answer is a generated answer, as a whole.
type Answer struct {
	Text   string
	Pieces []Piece
	Finish string
}

// Complete collects what [Model.Generate] and [Model.Chat] generate. The error is the first of a piece; there is no
// answer then.
func Complete(pieces iter.Seq2[Piece, error]) (*Answer, error) {
	a := new(Answer)
	var text strings.Builder
	for p, err := range pieces {
		if err != nil {
			return nil, err
		}
		text.WriteString(p.Text)
		a.Pieces = append(a.Pieces, p)
		a.Finish = p.Finish
	}
	a.Text = text.String()
	return a, nil
}

// Limit is the most tokens of a sequence, a prompt and its answer together.
func (m *Model) Limit() int { return m.Context }
