package serve

import (
	"encoding/json"
	"strings"
)

// inputItem is an item of the input of a response: a message, a call, what a call returned, or reasoning.
type inputItem struct {
	Type      string `json:"type"`
	Role      string `json:"role"`
	Content   any    `json:"content"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Output    any    `json:"output"`
}

// chatMessages makes the messages of a chat of an input, which is a text or a list of items. Reasoning, a text and
// calls that follow each other are one message of the assistant.
func chatMessages(input json.RawMessage) (list []message, err error) {
	var text string
	if json.Unmarshal(input, &text) == nil && len(input) > 0 && string(input) != "null" {
		return []message{{"role": "user", "content": text}}, nil
	}
	var items []inputItem
	if err := json.Unmarshal(input, &items); err != nil || len(items) == 0 {
		return nil, bad("input", "input is neither text nor a list of items")
	}
	for i, item := range items {
		if list, err = item.join(list, i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// join puts item i behind messages.
func (item *inputItem) join(list []message, i int) ([]message, error) {
	switch item.Type {
	case "", "message":
		text, err := itemText(item.Content, i)
		if item.Role == "" {
			return nil, bad("input", "item %d has neither the role of a message nor another type", i)
		}
		if item.Role != "assistant" {
			return append(list, message{"role": item.Role, "content": text}), err
		}
		list, m := assistant(list, "content", "tool_calls")
		m["content"] = text
		return list, err
	case "reasoning":
		text, err := itemText(item.Content, i)
		if text == "" { // a summary alone, or what only another server reads
			return list, err
		}
		list, m := assistant(list, "content", "tool_calls", "reasoning_content")
		m["reasoning_content"] = text
		return list, err
	case "function_call":
		list, m := assistant(list)
		calls, _ := m["tool_calls"].([]any)
		m["tool_calls"] = append(calls, map[string]any{"id": item.CallID, "type": "function",
			"function": map[string]any{"name": item.Name, "arguments": item.Arguments}})
		return list, nil
	case "function_call_output":
		text, err := itemText(item.Output, i)
		return append(list, message{"role": "tool", "tool_call_id": item.CallID, "content": text}), err
	}
	return nil, bad("input", "item %d is of the type %q; there are message, reasoning, function_call and function_call_output", i, item.Type)
}

// assistant is the last message, if that is the assistant's and has none of some members, and else a new one.
func assistant(list []message, without ...string) ([]message, message) {
	if len(list) > 0 {
		last := list[len(list)-1]
		fits := last["role"] == "assistant"
		for _, name := range without {
			fits = fits && last[name] == nil
		}
		if fits {
			return list, last
		}
	}
	m := message{"role": "assistant"}
	return append(list, m), m
}

// itemText is the text of an item, which is given as such or in parts, each of which is a line.
func itemText(v any, i int) (string, error) {
	texts, err := partTexts(v, "input", "item", i, "input_text", "output_text", "reasoning_text", "refusal")
	return strings.Join(texts, "\n"), err
}
