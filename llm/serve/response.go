package serve

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/go-acap/acap/llm"
)

// respond answers /v1/responses: a turn of a chat, whose answer is a list of items of reasoning, text and calls.
// Nothing is kept of a response.
func (s *Server) respond(w http.ResponseWriter, r *http.Request) error {
	var q responseRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	chat, err := q.chat()
	if err != nil {
		return err
	}
	j, err := s.turn(w, chat, "resp")
	if err != nil {
		return inResponse(err)
	}
	a := &response{j: j, q: &q, logprobs: chat.Logprobs}
	if q.Stream {
		return a.stream(r.Context())
	}
	if err := a.generate(r.Context()); err != nil {
		return inResponse(err)
	}
	answer(w, http.StatusOK, a.object(a.status()))
	return nil
}

// countResponse answers /v1/responses/input_tokens.
func (s *Server) countResponse(w http.ResponseWriter, r *http.Request) error {
	var q responseRequest
	if err := decode(r, &q); err != nil {
		return err
	}
	chat, err := q.chat()
	if err == nil {
		err = inResponse(s.count(w, chat))
	}
	return err
}

// response is a response while it is being generated.
type response struct {
	j        *job
	q        *responseRequest
	logprobs bool
	result   result
	output   []*outputItem
	thought  int                                           // tokens up to the last one of reasoning
	blank    string                                        // text without letters, which is left out before a call
	pieces   []llm.Piece                                   // whose text is not in an item
	tell     func(kind string, event map[string]any) error // of what is new; nil for nobody
}

// generate generates the response.
func (a *response) generate(ctx context.Context) error {
	return a.j.all(ctx, func(ctx context.Context, i int, prompt []int, o llm.Options) error {
		return a.j.generate(ctx, i, prompt, o, &a.result, a.take)
	})
}

// take puts what a piece has made known into items.
func (a *response) take(p llm.Piece) error {
	known := a.result.known
	if a.pieces = append(a.pieces, p); known.Reasoning != "" {
		a.thought, a.pieces = len(a.result.pieces), nil
		if err := a.add(reasoningItem, known.Reasoning); err != nil {
			return err
		}
	}
	if a.blank += known.Text; strings.TrimSpace(a.blank) != "" || a.last(messageItem) != nil || p.Finish != "" && len(known.Calls)+len(a.output) == 0 {
		if err := a.add(messageItem, a.blank); err != nil {
			return err
		}
		a.blank = ""
	}
	for _, c := range known.Calls {
		a.pieces, a.blank = nil, ""
		if c.Name != "" {
			if err := a.begin(&outputItem{kind: callItem, name: c.Name, call: a.result.ids[c.Index]}); err != nil {
				return err
			}
		}
		if err := a.add(callItem, c.Arguments); err != nil {
			return err
		}
	}
	if p.Finish != "" {
		return a.end(a.status())
	}
	return nil
}

// last is the last item, if it is of a kind and has not ended.
func (a *response) last(kind itemKind) *outputItem {
	if n := len(a.output); n > 0 && a.output[n-1].kind == kind && a.output[n-1].status == "in_progress" {
		return a.output[n-1]
	}
	return nil
}

// status is how the response has ended.
func (a *response) status() string {
	if a.result.finish == "length" {
		return "incomplete"
	}
	return "completed"
}

// object is the response in JSON.
func (a *response) object(status string) map[string]any {
	q, o := a.q, a.j.o
	format := map[string]any{"type": "text"}
	if f := q.Text.Format; f != nil {
		format["type"] = f.Type
		if f.Type == "json_schema" {
			format["name"], format["strict"], format["schema"] = f.Name, true, f.Schema
		}
	}
	output, tools := []any{}, []any{}
	for _, item := range a.output {
		output = append(output, item.object())
	}
	for _, t := range q.Tools {
		tools = append(tools, t)
	}
	m := map[string]any{"id": a.j.id, "object": "response", "created_at": a.j.created, "status": status, "model": a.j.s.options.Name, "output": output,
		"error": nil, "incomplete_details": nil, "instructions": q.Instructions, "max_output_tokens": q.MaxTokens, "previous_response_id": nil,
		"parallel_tool_calls": q.Parallel == nil || *q.Parallel, "reasoning": map[string]any{"effort": q.Reasoning.Effort, "summary": nil},
		"store": false, "temperature": o.Temperature, "top_p": cmp.Or(o.TopP, 1), "text": map[string]any{"format": format}, "tools": tools,
		"tool_choice": "auto", "top_logprobs": q.Top, "truncation": "disabled", "metadata": map[string]any{}, "usage": nil}
	if len(q.Choice) > 0 && string(q.Choice) != "null" {
		m["tool_choice"] = q.Choice
	}
	if q.Metadata != nil {
		m["metadata"] = q.Metadata
	}
	if status == "incomplete" {
		m["incomplete_details"] = map[string]any{"reason": "max_output_tokens"}
	}
	if status != "in_progress" {
		m["usage"] = map[string]any{"input_tokens": a.j.prompt, "input_tokens_details": map[string]any{"cached_tokens": a.j.reused},
			"output_tokens": a.j.made, "output_tokens_details": map[string]any{"reasoning_tokens": a.thought}, "total_tokens": a.j.prompt + a.j.made}
	}
	return m
}

// stream writes the response as events while it is being generated. Their numbers count from 0.
func (a *response) stream(ctx context.Context) error {
	out, number := events{w: a.j.w}, 0
	send := func(kind string, event map[string]any) error {
		event["type"], event["sequence_number"] = kind, number
		number++
		return out.send(kind, event)
	}
	a.tell = func(kind string, event map[string]any) error {
		if !out.begun { // an error in front of the first piece has its own status
			for _, kind := range []string{"response.created", "response.in_progress"} {
				if err := send(kind, map[string]any{"response": a.object("in_progress")}); err != nil {
					return err
				}
			}
		}
		return send(kind, event)
	}
	status := ""
	err := a.generate(ctx)
	if status = a.status(); err != nil {
		if !out.begun || gone(ctx, err) {
			return inResponse(err)
		}
		status = "failed"
	}
	m := a.object(status)
	if err != nil {
		m["error"] = map[string]any{"code": "server_error", "message": a.j.s.failure(inResponse(err)).text}
	}
	return a.tell("response."+status, map[string]any{"response": m})
}
