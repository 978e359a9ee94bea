package serve

// itemKind says what an item of a response holds.
type itemKind struct {
	name   string
	id     string // what its id begins with
	events string // what the names of its events begin with
	part   string // the type of its content; empty for a call
}

var (
	reasoningItem = itemKind{"reasoning", "rs", "response.reasoning_text", "reasoning_text"}
	messageItem   = itemKind{"message", "msg", "response.output_text", "output_text"}
	callItem      = itemKind{"function_call", "fc", "response.function_call_arguments", ""}
)

// outputItem is reasoning, text or a call of a response.
type outputItem struct {
	kind       itemKind
	id, status string
	text       string // or the arguments of the call
	begun      bool   // has content
	logprobs   []any  // of a text
	name, call string // of the function, and of the call
}

// object is the item in JSON.
func (i *outputItem) object() map[string]any {
	m := map[string]any{"id": i.id, "type": i.kind.name, "status": i.status}
	content := []any{}
	if i.begun {
		content = append(content, i.content())
	}
	switch i.kind {
	case reasoningItem:
		m["summary"], m["content"] = []any{}, content
	case messageItem:
		m["role"], m["content"] = "assistant", content
	case callItem:
		m["call_id"], m["name"], m["arguments"] = i.call, i.name, i.text
	}
	return m
}

// content is the part of an item that holds its text.
func (i *outputItem) content() map[string]any {
	m := map[string]any{"type": i.kind.part, "text": i.text}
	if i.kind == messageItem {
		m["annotations"], m["logprobs"] = []any{}, i.likelihoods()
	}
	return m
}

func (i *outputItem) likelihoods() []any {
	if i.logprobs == nil {
		return []any{}
	}
	return i.logprobs
}

// say tells of an item, unless nobody listens.
func (a *response) say(kind string, event map[string]any) error {
	if a.tell == nil {
		return nil
	}
	event["output_index"] = len(a.output) - 1
	return a.tell(kind, event)
}

// begin begins an item behind the last one, which ends.
func (a *response) begin(i *outputItem) error {
	if err := a.end("completed"); err != nil {
		return err
	}
	i.id, i.status = newID(i.kind.id), "in_progress"
	a.output = append(a.output, i)
	if err := a.say("response.output_item.added", map[string]any{"item": i.object()}); err != nil || i.kind.part == "" {
		return err
	}
	i.begun = true
	return a.say("response.content_part.added", map[string]any{"item_id": i.id, "content_index": 0, "part": i.content()})
}

// add puts more text, or more of the arguments of a call, into the last item, or into a new one where the last one is
// of another kind.
func (a *response) add(kind itemKind, text string) error {
	i := a.last(kind)
	if i == nil {
		i = &outputItem{kind: kind}
		if err := a.begin(i); err != nil {
			return err
		}
	}
	if i.text += text; text == "" {
		return nil
	}
	event := map[string]any{"item_id": i.id, "delta": text}
	if kind.part != "" {
		event["content_index"] = 0
	}
	if kind == messageItem {
		event["logprobs"] = []any{}
		if a.logprobs {
			more := a.j.s.likelihoods(a.pieces)
			i.logprobs, event["logprobs"] = append(i.logprobs, more...), more
		}
		a.pieces = nil
	}
	return a.say(kind.events+".delta", event)
}

// end ends the last item.
func (a *response) end(status string) error {
	if len(a.output) == 0 || a.output[len(a.output)-1].status != "in_progress" {
		return nil
	}
	i := a.output[len(a.output)-1]
	i.status = status
	event := map[string]any{"item_id": i.id}
	if i.kind == callItem {
		event["name"], event["arguments"] = i.name, i.text
	} else {
		event["content_index"], event["text"] = 0, i.text
	}
	if i.kind == messageItem {
		event["logprobs"] = i.likelihoods()
	}
	if err := a.say(i.kind.events+".done", event); err != nil {
		return err
	}
	if i.kind.part != "" {
		if err := a.say("response.content_part.done", map[string]any{"item_id": i.id, "content_index": 0, "part": i.content()}); err != nil {
			return err
		}
	}
	return a.say("response.output_item.done", map[string]any{"item": i.object()})
}
