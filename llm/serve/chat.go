package serve

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm"
)

// chatRequest is what a request for a turn of a chat says.
type chatRequest struct {
	sampling
	Messages  []message         `json:"messages"`
	Tools     []json.RawMessage `json:"tools"`
	Choice    json.RawMessage   `json:"tool_choice"`
	MaxTokens *int              `json:"max_completion_tokens"`
	Logprobs  bool              `json:"logprobs"`
	Top       int               `json:"top_logprobs"`
	More      map[string]any    `json:"chat_template_kwargs"`
	Forms     []string          `json:"modalities"`
	Functions []json.RawMessage `json:"functions"`
	Call      any               `json:"function_call"`
	Parallel  *bool             `json:"parallel_tool_calls"`
	Effort    *string           `json:"reasoning_effort"`
	Verbosity *string           `json:"verbosity"`
	Audio     any               `json:"audio"`
	Web       any               `json:"web_search_options"`
}

// chat answers /v1/chat/completions.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) error {
	var q chatRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	if err := q.check(); err != nil {
		return err
	}
	if q.MaxTokens != nil {
		q.sampling.MaxTokens = q.MaxTokens
	}
	o, err := s.answerOptions(&q.sampling)
	if err != nil {
		return err
	}
	if q.Logprobs {
		o.Logprobs = q.Top + 1
	}
	restricted, forms := o.Grammar != nil, syntaxesOf(s.model.TemplateWrites)
	if q.Tools, err = chosenTools(q.Tools, q.Choice, &o, forms[0].mark == callBegin); err != nil {
		return err
	}
	if o.Grammar == nil && slices.ContainsFunc(q.Tools, strict) {
		w.Header().Add("Warning", `299 acap "strict is not held: the model writes calls in another form than <tool_call>, and chooses whether to call"`)
	}
	if len(q.Tools) > 0 && s.model.HasTemplate() && !s.model.TemplateReads("tools") {
		w.Header().Add("Warning", `299 acap "the template of the model's chats does not look at tools, so that the model does not know them"`)
	}
	if restricted && len(q.Tools) > 0 {
		w.Header().Add("Warning", `299 acap "a grammar or schema says what the answer is, so that it calls no tool"`)
	}
	prompt, err := s.chatPrompt(&q)
	if err != nil {
		return err
	}
	prompts := [][]int{prompt}
	if err := s.fit(prompts, "messages", 1); err != nil {
		return err
	}
	j, err := s.job(w, &q.sampling, o, "chatcmpl")
	if err != nil {
		return err
	}
	f := &chatForm{s: s, one: q.Parallel != nil && !*q.Parallel, logprobs: q.Logprobs}
	if len(q.Tools) > 0 {
		f.forms, f.types, f.marks = forms, typesOf(q.Tools), marks(forms)
	}
	j.prompts, j.form = prompts, f
	return j.run(r.Context())
}

// check refuses what no answer can have.
func (q *chatRequest) check() error {
	if len(q.Messages) == 0 {
		return bad("messages", "there are no messages")
	}
	if i := slices.IndexFunc(q.Forms, func(form string) bool { return form != "text" }); i >= 0 {
		return bad("modalities", "modalities has %q; the model writes text", q.Forms[i])
	}
	for name, asked := range map[string]bool{"functions": len(q.Functions) > 0, "function_call": q.Call != nil, "audio": q.Audio != nil,
		"web_search_options": q.Web != nil, "verbosity": q.Verbosity != nil && *q.Verbosity != "medium"} {
		if asked {
			return bad(name, "%s is not supported", name)
		}
	}
	if q.Top < 0 || q.Top > 20 {
		return bad("top_logprobs", "top_logprobs is %d, want 0 to 20", q.Top)
	}
	if q.Top > 0 && !q.Logprobs {
		return bad("top_logprobs", "top_logprobs is %d and logprobs is not true", q.Top)
	}
	return nil
}

// chatPrompt writes the messages and tools of a request by the model's template, as tokens.
func (s *Server) chatPrompt(q *chatRequest) ([]int, error) {
	o := llm.TemplateOptions{More: q.More}
	if q.Effort != nil { // templates of models that think ask for the name
		if s.model.HasTemplate() && !s.model.TemplateReads("reasoning_effort") {
			return nil, bad("reasoning_effort", "reasoning_effort changes nothing: the template of the model's chats does not look at it")
		}
		if o.More = maps.Clone(q.More); o.More == nil {
			o.More = map[string]any{}
		}
		o.More["reasoning_effort"] = *q.Effort
	}
	for _, t := range q.Tools { // in the order of their members
		o.Tools = append(o.Tools, t)
	}
	var list []llm.Message
	for i, m := range q.Messages {
		plain, err := m.plain(i)
		if err != nil {
			return nil, err
		}
		list = append(list, plain)
	}
	text, err := s.model.Format(list, o)
	if err != nil {
		return nil, bad("messages", "%v", err)
	}
	prompt := s.model.EncodePrompt(text)
	return prompt, s.known(prompt, "messages")
}

// chatForm writes answers of a chat.
type chatForm struct {
	s        *Server
	forms    []syntax // of calls; none without tools
	types    argumentTypes
	marks    []string // special tokens that calls are written with
	one      bool     // call at most
	logprobs bool
}

// text is the text of a piece, with the special tokens that calls are written with.
func (f *chatForm) text(p *llm.Piece) string {
	if f.forms != nil && p.Text == "" && p.Finish == "" {
		if mark := f.s.model.Tokenizer().Token(p.Token); slices.Contains(f.marks, mark) {
			return mark
		}
	}
	return p.Text
}

func (f *chatForm) object(stream bool) string {
	if stream {
		return "chat.completion.chunk"
	}
	return "chat.completion"
}

func (f *chatForm) whole(i int, r *result) map[string]any {
	message := map[string]any{"role": "assistant", "content": r.text, "refusal": nil}
	if f.forms != nil {
		text := f.calls(r, r.text)
		message["content"] = text
		if len(r.calls) > 0 {
			message["tool_calls"] = r.calls
			if text == "" {
				message["content"] = nil
			}
		}
		if r.reasoning != "" {
			message["reasoning_content"] = r.reasoning
		}
	}
	c := map[string]any{"index": i, "message": message, "finish_reason": r.reason(), "logprobs": nil}
	if f.logprobs {
		c["logprobs"] = map[string]any{"content": f.likelihoods(r.pieces), "refusal": nil}
	}
	return c
}

func (f *chatForm) part(i int, r *result, p *llm.Piece, text string) map[string]any {
	delta := map[string]any{}
	if !r.begun {
		r.begun = true
		delta["role"] = "assistant"
	}
	if f.forms != nil {
		text = f.hold(r, text, p.Finish != "")
		if len(r.calls) > 0 {
			delta["tool_calls"] = numbered(r.calls)
		}
		if r.reasoning != "" {
			delta["reasoning_content"] = r.reasoning
		}
	}
	var finish any
	if p.Finish != "" {
		finish = r.reason()
	}
	if text != "" || delta["role"] != nil {
		delta["content"] = text
	}
	if len(delta) == 0 && finish == nil && !f.logprobs {
		return nil
	}
	c := map[string]any{"index": i, "delta": delta, "finish_reason": finish, "logprobs": nil}
	if f.logprobs {
		c["logprobs"] = map[string]any{"content": f.likelihoods([]llm.Piece{*p}), "refusal": nil}
	}
	return c
}

// least stands for logarithms of probabilities that are zero, for which JSON has no number.
const least = -9999.0

// likelihoods are the logarithms of the probabilities of tokens.
func (f *chatForm) likelihoods(pieces []llm.Piece) []any {
	t := f.s.model.Tokenizer()
	one := func(token int, p float64) map[string]any {
		text := t.Text(token)
		bytes := make([]int, len(text))
		for i := range len(text) {
			bytes[i] = int(text[i])
		}
		return map[string]any{"token": strings.ToValidUTF8(text, "\uFFFD"), "logprob": max(p, least), "bytes": bytes}
	}
	list := []any{}
	for _, p := range pieces {
		m := one(p.Token, p.Logprob)
		top := []any{}
		for _, c := range p.Top {
			top = append(top, one(c.Token, c.Logprob))
		}
		m["top_logprobs"] = top
		list = append(list, m)
	}
	return list
}

// calls reads the calls in an answer, and returns the rest of it. Where calls may not come together, the first one counts.
func (f *chatForm) calls(r *result, text string) string {
	found := toolCalls(text, f.forms, f.types)
	if f.one {
		found.calls = found.calls[:min(len(found.calls), 1)]
	}
	r.calls, r.reasoning = written(found.calls), found.reasoning
	return found.text
}

// hold keeps back what may be a call of a tool, and returns the text that is none. At the end calls are read.
func (f *chatForm) hold(r *result, text string, end bool) string {
	r.held += text
	if end {
		text = f.calls(r, r.held)
		r.held = ""
		return text
	}
	if trimmed := strings.TrimSpace(r.text); strings.HasPrefix(trimmed, "{") {
		return "" // may be a call as a whole
	}
	keep, form := firstCall(r.held, f.forms)
	if form == nil {
		keep = len(r.held) - mayBegin(r.held, f.forms)
	}
	text = r.held[:keep]
	r.held = r.held[keep:]
	return text
}
