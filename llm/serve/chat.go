package serve

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/reply"
)

// chatRequest is the body of a request for a turn of a chat.
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
	Thoughts  string            `json:"reasoning_format"`
	Verbosity *string           `json:"verbosity"`
	Audio     any               `json:"audio"`
	Web       any               `json:"web_search_options"`
	Begin     *bool             `json:"add_generation_prompt"`  // of llama.cpp: false where the answer goes on with the last message
	Continue  *bool             `json:"continue_final_message"` // likewise true

	alone bool // no answer follows the prompt, which may end behind the messages
}

// chat answers /v1/chat/completions.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) error {
	var q chatRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	j, err := s.turn(w, &q, "chatcmpl")
	if err != nil {
		return err
	}
	return j.run(r.Context())
}

// countChat answers /v1/chat/completions/input_tokens.
func (s *Server) countChat(w http.ResponseWriter, r *http.Request) error {
	var q chatRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	return s.count(w, &q)
}

// count says how many tokens the prompt of a chat has.
func (s *Server) count(w http.ResponseWriter, q *chatRequest) error {
	j, err := s.turn(w, q, "chatcmpl")
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, map[string]any{"object": "response.input_tokens", "input_tokens": len(j.prompts[0])})
	return nil
}

// turn makes the job of a request, whose form is a [chatForm]. Headers of the answer warn of what is without effect.
func (s *Server) turn(w http.ResponseWriter, q *chatRequest, kind string) (*job, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	if q.MaxTokens != nil {
		q.sampling.MaxTokens, q.limit = q.MaxTokens, "max_completion_tokens"
	}
	o, err := s.answerOptions(&q.sampling)
	if err != nil {
		return nil, err
	}
	if q.Logprobs {
		o.Logprobs = q.Top + 1
	}
	restricted := o.Grammar != nil
	if q.Tools, err = chosenTools(q.Tools, q.Choice, &o, s.model.ReplySyntax().Tagged()); err != nil {
		return nil, err
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
	text, begun, err := s.chatPrompt(q)
	if err != nil {
		return nil, err
	}
	prompt, err := s.model.EncodePrompt(text)
	if err != nil {
		return nil, bad("messages", "messages: %v", err)
	}
	if err := s.known(prompt, "messages"); err != nil {
		return nil, err
	}
	prompts := [][]int{prompt}
	if err := s.fit(prompts, "messages", 1); err != nil {
		return nil, err
	}
	j, err := s.job(w, &q.sampling, o, kind)
	if err != nil {
		return nil, err
	}
	f := &chatForm{s: s, one: q.Parallel != nil && !*q.Parallel, logprobs: q.Logprobs, begun: begun,
		how: reply.Options{Tools: q.Tools, Prompt: strings.TrimSuffix(text, said(begun)), Raw: q.Thoughts == "none"}}
	if chosen := string(q.Choice); restricted || o.Grammar != nil && chosen != "" && chosen != "null" && chosen != `"auto"` { // there is no reasoning
		f.how.Prompt = ""
	}
	j.prompts, j.form = prompts, f
	return j, nil
}

// check refuses what no answer can have.
func (q *chatRequest) check() error {
	if len(q.Messages) == 0 {
		return bad("messages", "there are no messages")
	}
	if i := slices.IndexFunc(q.Forms, func(form string) bool { return form != "text" }); i >= 0 {
		return bad("modalities", "modalities has %q; the model writes text", q.Forms[i])
	}
	asked := map[string]bool{"functions": len(q.Functions) > 0, "function_call": q.Call != nil, "audio": q.Audio != nil,
		"web_search_options": q.Web != nil, "verbosity": q.Verbosity != nil && *q.Verbosity != "medium"}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if asked[name] {
			return bad(name, "%s is not supported", name)
		}
	}
	switch q.Thoughts {
	case "", "auto", "deepseek", "none":
	default:
		return bad("reasoning_format", "reasoning_format is %q; there are auto and deepseek, for reasoning_content, and none, for reasoning in the content", q.Thoughts)
	}
	if a, b := q.sampling.MaxTokens, q.MaxTokens; a != nil && b != nil && *a != *b {
		return bad("max_tokens", "max_tokens is %d and max_completion_tokens, its newer name, %d: leave one of them out", *a, *b)
	}
	if q.Top < 0 || q.Top > 20 {
		return bad("top_logprobs", "top_logprobs is %d, want 0 to 20", q.Top)
	}
	if q.Top > 0 && !q.Logprobs {
		return bad("top_logprobs", "top_logprobs is %d and logprobs is not true", q.Top)
	}
	return nil
}

// chatPrompt writes the messages and tools of a request by the model's template. begun is the answer so far where it
// goes on with the last message.
func (s *Server) chatPrompt(q *chatRequest) (text string, begun reply.Part, err error) {
	o := llm.TemplateOptions{More: q.More}
	if q.Effort != nil { // templates of models that think ask for the name
		if s.model.HasTemplate() && !s.model.TemplateReads("reasoning_effort") {
			return "", begun, bad("reasoning_effort", "reasoning_effort changes nothing: the template of the model's chats does not look at it")
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
			return "", begun, err
		}
		list = append(list, plain)
	}
	if o.Continue, err = q.continues(); err != nil {
		return "", begun, err
	}
	o.Ends = !o.Continue && q.Begin != nil && !*q.Begin
	if o.Continue {
		last := list[len(list)-1]
		begun = reply.Part{Text: strings.Join(append(last.Parts, last.Content), ""), Reasoning: last.Reasoning()}
	}
	if text, err = s.model.Format(list, o); err != nil {
		return "", begun, bad("messages", "%v", err)
	}
	return text, begun, nil
}

// continues reports whether the answer goes on with the last message, as an answer of llama-server does if the message
// is the assistant's.
func (q *chatRequest) continues() (bool, error) {
	begin, wanted := q.Begin == nil || *q.Begin, q.Continue != nil && *q.Continue
	own := func(back int) bool {
		return len(q.Messages) >= back && q.Messages[len(q.Messages)-back]["role"] == "assistant"
	}
	switch {
	case wanted && q.Begin != nil && begin:
		return false, bad("continue_final_message", "continue_final_message and add_generation_prompt are true: an answer either goes on with the last message or begins")
	case wanted && !own(1):
		return false, bad("continue_final_message", "continue_final_message is true, and the last message is not the assistant's")
	case !begin && !own(1) && !q.alone:
		return false, bad("add_generation_prompt", "add_generation_prompt is false, and the last message is not the assistant's, with which the answer would go on")
	case !own(1) || q.Continue != nil && !wanted && begin:
		return false, nil
	case own(2):
		return false, bad("messages", "the last two messages are the assistant's; an answer goes on with one")
	}
	if calls, _ := q.Messages[len(q.Messages)-1]["tool_calls"].(json.RawMessage); len(calls) > len("null") {
		return false, bad("messages", "the last message has calls of tools, whose results are missing; an answer goes on with a text")
	}
	return true, nil
}

// said is the end of an answer so far.
func said(begun reply.Part) string { return cmp.Or(begun.Text, begun.Reasoning) }

// chatForm writes answers of a chat.
type chatForm struct {
	s        *Server
	how      reply.Options
	begun    reply.Part // of the answer, in the prompt
	one      bool       // call at most
	logprobs bool
}

func (f *chatForm) object(stream bool) string {
	if stream {
		return "chat.completion.chunk"
	}
	return "chat.completion"
}

// read takes what a piece adds to an answer. Where calls may not come together, the first one counts.
func (f *chatForm) read(r *result, p *llm.Piece) {
	if r.reply == nil {
		r.reply = f.s.model.Reply(f.how)
		if text := said(f.begun); text != "" { // which the answer has, and a stream has not
			if text == f.begun.Text {
				r.Reasoning = f.begun.Reasoning
			}
			known := r.reply.Next(llm.Piece{Text: text})
			_, r.held, _ = strings.Cut(text, known.Text+known.Reasoning)
			r.Add(known)
		}
	}
	r.known = r.reply.Next(*p)
	if f.one {
		r.known.Calls = slices.DeleteFunc(r.known.Calls, func(c reply.Call) bool { return c.Index > 0 })
	}
	r.Add(r.known)
	r.known.Text, r.known.Reasoning = r.said(r.known.Text), r.said(r.known.Reasoning)
	for len(r.ids) < len(r.Calls) {
		r.ids = append(r.ids, newID("call"))
	}
}

// said takes what was held of the prompt from the beginning of a text.
func (r *result) said(text string) string {
	n := 0
	for n < min(len(text), len(r.held)) && text[n] == r.held[n] {
		n++
	}
	if text, r.held = text[n:], r.held[n:]; text != "" {
		r.held = ""
	}
	return text
}

func (f *chatForm) whole(i int, r *result) map[string]any {
	message := map[string]any{"role": "assistant", "content": r.Text, "refusal": nil}
	if len(r.Calls) > 0 {
		message["content"] = nil
		if text := strings.TrimSpace(r.Text); text != "" {
			message["content"] = text
		}
		var calls []any
		for i, c := range r.Calls {
			calls = append(calls, map[string]any{"id": r.ids[i], "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Arguments}})
		}
		message["tool_calls"] = calls
	}
	if r.Reasoning != "" {
		message["reasoning_content"] = r.Reasoning
	}
	c := map[string]any{"index": i, "message": message, "finish_reason": r.reason(), "logprobs": nil}
	if f.logprobs {
		c["logprobs"] = map[string]any{"content": f.s.likelihoods(r.pieces), "refusal": nil}
	}
	return c
}

func (f *chatForm) part(i int, r *result, p *llm.Piece) map[string]any {
	delta := map[string]any{}
	if !r.begun {
		r.begun = true
		delta["role"] = "assistant"
	}
	var calls []any
	for _, c := range r.known.Calls {
		call := map[string]any{"index": c.Index, "function": map[string]any{"arguments": c.Arguments}}
		if c.Name != "" {
			call["id"], call["type"] = r.ids[c.Index], "function"
			call["function"] = map[string]any{"name": c.Name, "arguments": c.Arguments}
		}
		calls = append(calls, call)
	}
	if calls != nil {
		delta["tool_calls"] = calls
	}
	if r.known.Reasoning != "" {
		delta["reasoning_content"] = r.known.Reasoning
	}
	var finish any
	if p.Finish != "" {
		finish = r.reason()
	}
	if r.known.Text != "" || delta["role"] != nil {
		delta["content"] = r.known.Text
	}
	if len(delta) == 0 && finish == nil && !f.logprobs {
		return nil
	}
	c := map[string]any{"index": i, "delta": delta, "finish_reason": finish, "logprobs": nil}
	if f.logprobs {
		c["logprobs"] = map[string]any{"content": f.s.likelihoods([]llm.Piece{*p}), "refusal": nil}
	}
	return c
}

// least stands for logarithms of probabilities that are zero, for which JSON has no number.
const least = -9999.0

// likelihoods are the logarithms of the probabilities of tokens.
func (s *Server) likelihoods(pieces []llm.Piece) []any {
	t := s.model.Tokenizer()
	one := func(token int, p float64) map[string]any {
		text := t.Text(token)
		return map[string]any{"id": token, "token": strings.ToValidUTF8(text, "\uFFFD"), "logprob": max(p, least), "bytes": bytesOf(text)}
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
