package main

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"strings"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/llm"
)

// openLanguage reads the arguments of a command that generates, whose answers have at most the given tokens without -n,
// and loads its model.
func openLanguage(f *flag.FlagSet, args []string, tokens int) (*llm.Model, llm.Options, error) {
	var o commandline.Language
	var a commandline.Answer
	o.Flags(f)
	o.DraftFlags(f)
	a.Flags(f, tokens)
	path, err := parseOne(f, args)
	if err != nil {
		return nil, llm.Options{}, err
	}
	if err := a.Check(); err != nil {
		return nil, llm.Options{}, err
	}
	m, err := o.Load(path)
	if err != nil {
		return nil, llm.Options{}, err
	}
	if err := a.Read(m.Tokenizer()); err != nil {
		return nil, llm.Options{}, errors.Join(err, m.Close())
	}
	options, followed := a.Over(m.Defaults(), f)
	if len(followed) > 0 {
		fmt.Fprintf(printable.Messages, "%s recommends %s\n", path, strings.Join(followed, " "))
	}
	return m, options, nil
}

// show prints pieces as they come behind a prompt, which it prints with the first piece, and ends the line. Reasoning
// stands in brackets. It returns the text of the pieces.
func show(prompt string, pieces iter.Seq2[llm.Piece, error]) (_ string, err error) {
	var written strings.Builder
	begun, thinks := false, false
	defer func() {
		if begun {
			fmt.Fprintln(stdout)
			err = errors.Join(err, stdout.err)
		}
	}()
	for p, err := range pieces {
		if err != nil {
			return written.String(), err
		}
		if !begun {
			fmt.Fprint(stdout, prompt)
			begun = true
		}
		if p.Reasoning != "" && !thinks {
			thinks = true
			fmt.Fprint(stdout, "(")
		}
		fmt.Fprint(stdout, p.Reasoning)
		if thinks && (p.Text != "" || p.Finish != "") {
			thinks = false
			fmt.Fprintln(stdout, ")")
		}
		fmt.Fprint(stdout, p.Text)
		if stdout.err != nil {
			return written.String(), nil
		}
		written.WriteString(p.Text)
	}
	return written.String(), nil
}
