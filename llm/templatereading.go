package llm

import "strings"

// reading is how a template reads messages. Templates differ, and one that is given another form writes an error, or a
// prompt that the model was not trained with.
type reading struct {
	texts bool     // the arguments of calls are texts in JSON, and not objects
	parts []string // roles of messages whose content may be a list of parts
	lists bool     // the content is a list of parts in any case
	tools any      // what stands for tools where there are none
}

// trial is a word that no template has.
const trial = "marmalade"

// trialRoles are the roles of messages, each with a chat whose messages of the role have the trial as content.
var trialRoles = map[string][]Message{
	"user":      {{Role: "user", Content: trial}},
	"system":    {{Role: "system", Content: trial}, {Role: "user", Content: "a"}},
	"assistant": {{Role: "user", Content: "a"}, {Role: "assistant", Content: trial}, {Role: "user", Content: "b"}},
	"tool":      {{Role: "user", Content: "a"}, trialCall("{}"), {Role: "tool", Content: trial, More: map[string]any{"tool_call_id": "call00001", "name": "f"}}},
}

// trialCall is a call of a tool with some arguments.
func trialCall(arguments string) Message {
	call := map[string]any{"id": "call00001", "type": "function", "function": map[string]any{"name": "f", "arguments": arguments}}
	return Message{Role: "assistant", More: map[string]any{"tool_calls": []any{call}}}
}

// try finds out how the template reads messages by writing small chats.
func (t *template) try() (r reading) {
	user := trialRoles["user"]
	if _, err := t.write(user, TemplateOptions{}, r); err != nil {
		if _, err := t.write(user, TemplateOptions{}, reading{tools: []any{}}); err == nil {
			r.tools = []any{}
		}
	}
	parts := r
	parts.lists = true
	for role, chat := range trialRoles { // a part alone is read as its text is
		text, err := t.write(chat, TemplateOptions{}, r)
		same, failed := t.write(chat, TemplateOptions{}, parts)
		if err == nil && failed == nil && text == same {
			r.parts = append(r.parts, role)
		}
	}
	r.lists = t.shows(user, nil, r) < 1 && t.shows(user, nil, parts) > 0
	tool := map[string]any{"type": "function", "function": map[string]any{"name": "f", "description": "f",
		"parameters": map[string]any{"type": "object", "properties": map[string]any{trial: map[string]any{"type": "string", "description": "f"}}}}}
	chat := []Message{{Role: "user", Content: "a"}, trialCall(`{"` + trial + `": "b"}`)}
	texts, described := r, t.shows(chat[:1], []any{tool}, r)
	texts.texts = true
	r.texts = t.shows(chat, []any{tool}, r) <= described && t.shows(chat, []any{tool}, texts) > described
	return r
}

// shows is how often a prompt has the trial, -1 where the template fails, or writes a value as Python does, which no
// template is meant to write.
func (t *template) shows(chat []Message, tools []any, r reading) int {
	text, err := t.write(chat, TemplateOptions{Tools: tools}, r)
	if err != nil || strings.Contains(text, "'"+trial+"'") {
		return -1
	}
	return strings.Count(text, trial)
}
