package llm

import (
	"slices"

	"github.com/go-acap/acap/llm/reply"
)

// Reply reads an answer to a chat: see [Model.Reply].
type Reply struct {
	m      *Model
	reader *reply.Reader
	marks  []string
}

// ReplySyntax is the forms in which the model writes reasoning and calls of tools: those whose marks, such as
// <tool_call>, stand in its template of chats.
func (m *Model) ReplySyntax() reply.Syntax {
	return reply.Of(func(text string) bool { return m.template != nil && m.template.writes(text) })
}

// Reply reads the pieces of an answer to a prompt that [Model.Format] made. It must be closed.
func (m *Model) Reply(o reply.Options) *Reply {
	s := m.ReplySyntax()
	return &Reply{m, s.Reader(o), s.Marks()}
}

// Next takes the next piece of the answer, and returns what became known. All is known behind the last piece.
func (r *Reply) Next(p Piece) reply.Part {
	text := p.Text
	if text == "" && p.Finish == "" { // special tokens have no text
		if mark := r.m.tokens.Token(p.Token); slices.Contains(r.marks, mark) {
			text = mark
		}
	}
	known := r.reader.Next(text)
	if p.Finish != "" {
		known.Add(r.reader.End())
	}
	return known
}

// Close ends the reading.
func (r *Reply) Close() { r.reader.Close() }
