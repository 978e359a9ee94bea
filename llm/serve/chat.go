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
	if f.tools = len(q.Tools) > 0; !f.tools { // messages in channels are read in any case
		forms = slices.DeleteFunc(slices.Clone(forms), func(form syntax) bool { return form.part == nil })
	}
	if len(forms) > 0 {
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
	forms    []syntax // of calls
	tools    bool     // there are some, so that an object alone may be a call
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
		all := f.read(r, r.text)
		message["content"] = all.text
		if len(r.calls) > 0 {
			message["tool_calls"] = r.calls
			if all.text == "" {
				message["content"] = nil
			}
		}
		if all.reasoning != "" {
			message["reasoning_content"] = all.reasoning
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
		first := len(r.calls)
		known := f.hold(r, text, p.Finish != "")
		text = known.text
		if len(r.calls) > first {
			delta["tool_calls"] = numbered(r.calls[first:], first)
		}
		if known.reasoning != "" {
			delta["reasoning_content"] = known.reasoning
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

// read takes what is found in an answer or in the rest of one, and notes the calls. Where calls may not come together, the first one counts.
func (f *chatForm) read(r *result, text string) found {
	all, alone := objectAlone(r.text)
	if !f.tools || !alone {
		all = toolCalls(text, f.forms, f.types)
	}
	f.note(r, all.calls)
	return all
}

// note adds calls to those of an answer.
func (f *chatForm) note(r *result, calls []call) {
	if f.one {
		calls = calls[:min(len(calls), 1-min(len(r.calls), 1))]
	}
	r.calls = append(r.calls, written(calls)...)
}

// hold keeps back what may be a call of a tool, and returns what is none and is known. At the end all is known.
func (f *chatForm) hold(r *result, text string, end bool) (known found) {
	r.held += text
	if end {
		known = f.read(r, r.held)
		r.held = ""
		return known
	}
	if f.tools && strings.HasPrefix(strings.TrimSpace(r.text), "{") {
		return known // may be a call as a whole
	}
	for {
		at, form := firstCall(r.held, f.forms)
		if form == nil {
			at = len(r.held) - mayBegin(r.held, f.forms)
		}
		known.text += r.held[:at]
		r.held = r.held[at:]
		if form == nil || form.part == nil {
			return known
		}
		part, rest, whole := form.part(r.held)
		known.text, known.reasoning, r.held = known.text+part.text, known.reasoning+part.reasoning, rest
		if f.note(r, part.calls); !whole {
			return known
		}
	}
}
