package llm

import (
	"context"
	"iter"
	"slices"

	"github.com/go-acap/acap/llm/reply"
	"github.com/go-acap/acap/text/tokenizer"
)

// Chat generates the answer to messages, by the model's own template. Reasoning in front of the answer is in
// [Piece.Reasoning], and not in the text.
func (m *Model) Chat(ctx context.Context, messages []Message, o Options) iter.Seq2[Piece, error] {
	prompt, err := m.Format(messages, TemplateOptions{})
	if err != nil {
		return failed(err)
	}
	tokens, err := m.EncodePrompt(prompt)
	if err != nil {
		return failed(err)
	}
	how := reply.Options{Prompt: prompt}
	if o.Grammar != nil { // which leaves no room for reasoning
		how.Prompt = ""
	}
	return func(yield func(Piece, error) bool) {
		r := m.Reply(how)
		defer r.Close()
		for p, err := range m.GenerateTokens(ctx, tokens, o) {
			known := r.Next(p)
			p.Text, p.Reasoning = known.Text, known.Reasoning
			if !yield(p, err) {
				return
			}
		}
	}
}

// Format makes a prompt of messages, by the model's own template. [ErrNoTemplate] says that the model has none.
func (m *Model) Format(messages []Message, o TemplateOptions) (string, error) {
	if m.template == nil {
		return "", ErrNoTemplate
	}
	return m.template.render(messages, o)
}

// EncodePrompt makes tokens of what [Model.Format] made: the tokens around a text are those that the template writes,
// and the first one is added if the template leaves it out. Errors are those of [tokenizer.Tokenizer.Encode].
func (m *Model) EncodePrompt(prompt string) ([]int, error) {
	ids, err := m.tokens.Encode(prompt, tokenizer.EncodeOptions{Whole: true})
	if err != nil {
		return nil, err
	}
	with, err := m.encode("")
	if err != nil {
		return nil, err
	}
	if begin := m.tokens.Begin(); begin >= 0 && len(with) > 0 && with[0] == begin && (len(ids) == 0 || ids[0] != begin) {
		ids = append([]int{begin}, ids...)
	}
	return ids, nil
}

// Defaults are what the model's files recommend: generation_config.json of a folder, general.sampling of a GGUF file.
// The zero value takes the most likely token.
func (m *Model) Defaults() Options {
	o := m.defaults
	o.Stop, o.Sequences, o.NotFirst, o.LastTokens = slices.Clone(o.Stop), slices.Clone(o.Sequences), slices.Clone(o.NotFirst), slices.Clone(o.LastTokens)
	return o
}

// TemplateReads reports whether the template of chats looks at a name, such as tools or enable_thinking. Options that
// it does not look at change no prompt.
func (m *Model) TemplateReads(name string) bool { return m.template != nil && m.template.reads(name) }

// HasTemplate reports whether the model can chat.
func (m *Model) HasTemplate() bool { return m.template != nil }

// Template is the template of chats in Jinja's language; empty where there is none.
func (m *Model) Template() string {
	if m.template == nil {
		return ""
	}
	return m.template.text
}

// Sequences is how many answers are computed at once; others wait.
func (m *Model) Sequences() int { return m.options.Sequences }
