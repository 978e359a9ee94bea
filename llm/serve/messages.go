package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/go-acap/acap/llm"
)

// messages answers /v1/messages: a turn of a chat, whose answer is a list of blocks of reasoning, text and calls of
// tools.
func (s *Server) messages(w http.ResponseWriter, r *http.Request) error {
	var q messagesRequest
	j, err := s.messagesTurn(w, r, &q)
	if err != nil {
		return err
	}
	a := &messagesAnswer{j: j, open: -1}
	if a.out.w = w; q.Stream {
		a.write = a.out.send
	}
	err = j.all(r.Context(), func(ctx context.Context, i int, prompt []int, o llm.Options) error {
		return j.generate(ctx, i, prompt, o, &a.result, a.take)
	})
	switch {
	case err != nil && a.out.begun && !gone(r.Context(), err):
		f := s.failure(err)
		_ = a.out.send("error", map[string]any{"type": "error", "error": map[string]any{"type": f.kind, "message": f.text}})
	case err != nil:
		return err
	case !q.Stream:
		m := a.message(a.content())
		m["stop_reason"], m["stop_sequence"], m["usage"] = a.reason(), a.stopped(), a.usage()
		answer(w, http.StatusOK, m)
	}
	return nil
}

// countTokens answers /v1/messages/count_tokens.
func (s *Server) countTokens(w http.ResponseWriter, r *http.Request) error {
	var q messagesRequest
	j, err := s.messagesTurn(w, r, &q)
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, map[string]int{"input_tokens": len(j.prompts[0])})
	return nil
}

// messagesTurn reads a request and makes its job.
func (s *Server) messagesTurn(w http.ResponseWriter, r *http.Request, q *messagesRequest) (*job, error) {
	if err := decode(r, q); err != nil {
		return nil, err
	}
	chat, err := q.chat()
	if err != nil {
		return nil, err
	}
	return s.turn(w, chat, "msg")
}

// messagesAnswer is an answer while it is being generated.
type messagesAnswer struct {
	j      *job
	result result
	out    events
	write  func(kind string, event any) error // nil where the answer is no stream
	blocks int                                // that have begun
	open   int                                // the number of the block that has not ended, -1 for none
	kind   string                             // of the open block
}

// message is the answer with a content, before its end.
func (a *messagesAnswer) message(content []any) map[string]any {
	return map[string]any{"id": a.j.id, "type": "message", "role": "assistant", "model": a.j.s.options.Name, "content": content, "stop_reason": nil, "stop_sequence": nil}
}

// content is the blocks of the answer.
func (a *messagesAnswer) content() []any {
	list := []any{}
	if a.result.Reasoning != "" {
		list = append(list, map[string]any{"type": "thinking", "thinking": a.result.Reasoning, "signature": ""})
	}
	if text := a.result.Text; strings.TrimSpace(text) != "" || text != "" && len(a.result.Calls) == 0 {
		list = append(list, map[string]any{"type": "text", "text": text})
	}
	for i, c := range a.result.Calls {
		input := json.RawMessage(c.Arguments)
		if !json.Valid(input) { // an answer that was cut
			input = json.RawMessage("{}")
		}
		list = append(list, map[string]any{"type": "tool_use", "id": a.result.ids[i], "name": c.Name, "input": input})
	}
	return list
}

// stopped is the text that ended the answer, nil for none.
func (a *messagesAnswer) stopped() any {
	if stop := a.result.pieces[len(a.result.pieces)-1].Stop; stop != "" {
		return stop
	}
	return nil
}

// reason is why the answer has ended.
func (a *messagesAnswer) reason() string {
	switch {
	case a.result.finish == "length":
		return "max_tokens"
	case len(a.result.Calls) > 0:
		return "tool_use"
	case a.stopped() != nil:
		return "stop_sequence"
	}
	return "end_turn"
}

// usage counts tokens: those that were computed, those that were in the cache, and those of the answer.
func (a *messagesAnswer) usage() map[string]any {
	return map[string]any{"input_tokens": a.j.prompt - a.j.reused, "cache_read_input_tokens": a.j.reused, "output_tokens": a.j.made}
}

// take writes to the stream what a piece adds to the answer.
func (a *messagesAnswer) take(p llm.Piece) error {
	if a.write == nil {
		return nil
	}
	if !a.out.begun {
		m := a.message([]any{})
		m["usage"] = a.usage()
		m["usage"].(map[string]any)["output_tokens"] = 0
		if err := a.write("message_start", map[string]any{"type": "message_start", "message": m}); err != nil {
			return err
		}
	}
	known := a.result.known
	if err := a.add("thinking", "thinking_delta", "thinking", known.Reasoning, map[string]any{"thinking": "", "signature": ""}); err != nil {
		return err
	}
	if err := a.add("text", "text_delta", "text", known.Text, map[string]any{"text": ""}); err != nil {
		return err
	}
	for _, c := range known.Calls {
		begin := map[string]any{"id": a.result.ids[c.Index], "name": c.Name, "input": map[string]any{}}
		if c.Name != "" {
			if err := a.end(); err != nil {
				return err
			}
			if err := a.begin("tool_use", begin); err != nil {
				return err
			}
		}
		if err := a.add("tool_use", "input_json_delta", "partial_json", c.Arguments, begin); err != nil {
			return err
		}
	}
	if p.Finish == "" {
		return nil
	}
	if err := a.end(); err != nil {
		return err
	}
	ended := map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": a.reason(), "stop_sequence": a.stopped()}, "usage": a.usage()}
	if err := a.write("message_delta", ended); err != nil {
		return err
	}
	return a.write("message_stop", map[string]any{"type": "message_stop"})
}

// add writes more text of a block of a kind, as a member of an event of the type delta. Where no block of the kind is
// open it opens one with the members of begin.
func (a *messagesAnswer) add(kind, delta, member, text string, begin map[string]any) error {
	if text == "" {
		return nil
	}
	if a.open < 0 || a.kind != kind {
		if err := a.end(); err != nil {
			return err
		}
		if err := a.begin(kind, begin); err != nil {
			return err
		}
	}
	return a.write("content_block_delta", map[string]any{"type": "content_block_delta", "index": a.open, "delta": map[string]any{"type": delta, member: text}})
}

// begin writes the event that opens a block of a kind, with its first members.
func (a *messagesAnswer) begin(kind string, begin map[string]any) error {
	a.open, a.kind = a.blocks, kind
	a.blocks++
	begin["type"] = kind
	return a.write("content_block_start", map[string]any{"type": "content_block_start", "index": a.open, "content_block": begin})
}

// end writes the event that closes the open block, if there is one.
func (a *messagesAnswer) end() error {
	if a.open < 0 {
		return nil
	}
	index := a.open
	a.open = -1
	return a.write("content_block_stop", map[string]any{"type": "content_block_stop", "index": index})
}
