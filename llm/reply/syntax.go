package reply

import (
	"cmp"
	"slices"
)

// form is a form in which models write calls of tools, or messages.
type form struct {
	mark    string   // of templates whose models write the form
	begin   []string // what the form begins with
	tokens  []string // special tokens that the form is written with, beside mark and begin
	message bool     // has text and reasoning as well, and is read where there are no tools
	ends    bool     // ends reasoning that goes on, as special tokens do
	// read takes what a text begins with, which begins with one of begin. It reports false, and has taken nothing,
	// where there is no call.
	read func(in *input) bool
}

// forms are those that there are.
var forms = []form{tagged, functions, coder.within("<seed:tool_call>", "</seed:tool_call>"), invoked.within("<minimax:tool_call>", "</minimax:tool_call>"),
	mistral, llama, deepSeek, kimi, gemma, harmony, listed("<|START_ACTION|>", "<|END_ACTION|>"), listed("<TOOLCALL>", "</TOOLCALL>"),
	listed("<tool_calls>", "</tool_calls>"), said("<|START_RESPONSE|>", "<|END_RESPONSE|>"), said("<|START_TEXT|>", "<|END_TEXT|>")}

// Syntax is the forms in which a model answers.
type Syntax struct {
	thoughts []thought
	forms    []form
}

// Of is the syntax of a model whose template of chats writes texts: the forms that the template names, and for calls
// the tags of Hermes where the template names no form.
func Of(writes func(text string) bool) (s Syntax) {
	for _, t := range thoughts {
		if writes(t.begin) || writes(t.end) {
			s.thoughts = append(s.thoughts, t)
		}
	}
	for _, f := range forms {
		if writes(f.mark) {
			s.forms = append(s.forms, f)
		}
	}
	if s.forms == nil {
		s.forms = forms[:1]
	}
	return s
}

// Tagged reports whether calls stand between [CallBegin] and [CallEnd].
func (s Syntax) Tagged() bool { return s.forms[0].mark == CallBegin }

// Marks are the special tokens that the forms are written with. Texts of answers leave special tokens out, and a reader
// finds forms by them.
func (s Syntax) Marks() (list []string) {
	for _, t := range s.thoughts {
		list = append(list, cmp.Or(t.token, t.begin), t.end)
	}
	for _, f := range s.forms {
		list = slices.Concat(list, f.begin, f.tokens)
	}
	return list
}
