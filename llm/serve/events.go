package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// events writes an answer as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type events struct {
	w     http.ResponseWriter
	begun bool
}

// send writes an event with a value in JSON. The event has a name unless that is empty.
func (e *events) send(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	return e.write(name + "data: " + string(data) + "\n\n")
}

// done writes the event that ends streams of chats and completions.
func (e *events) done() error { return e.write("data: [DONE]\n\n") }

// write hands a text on at once. Its error is [errGone].
func (e *events) write(text string) error {
	if !e.begun {
		e.begun = true
		h := e.w.Header()
		h.Set("Content-Type", "text/event-stream; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Accel-Buffering", "no")
		e.w.WriteHeader(http.StatusOK)
	}
	if _, err := fmt.Fprint(e.w, text); err != nil {
		return errors.Join(errGone, err)
	}
	if err := http.NewResponseController(e.w).Flush(); err != nil {
		return errors.Join(errGone, err)
	}
	return nil
}
