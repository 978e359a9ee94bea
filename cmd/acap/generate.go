package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// mostPrompt is the most bytes of a prompt that standard input gives: a few times the text of a million tokens.
const mostPrompt = 16 << 20

func init() {
	register(command{"generate", "go on behind a prompt with a language model", generate})
}

func generate(args []string) error {
	f := newFlags("generate", "MODEL [-p PROMPT] [flags]")
	prompt := f.String("p", "", "the `text` to go on behind; without it standard input is read")
	m, options, err := openLanguage(f, args, 128)
	if err != nil {
		return err
	}
	defer m.Close()
	if *prompt == "" {
		beat.rests()
		if *prompt, err = readPrompt(os.Stdin); err != nil {
			return err
		}
	}
	beat.does("reading the prompt or writing")
	_, err = show(*prompt, m.Generate(context.Background(), *prompt, options))
	return err
}

// readPrompt reads a prompt of at most [mostPrompt] bytes.
func readPrompt(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostPrompt+1))
	if err == nil && len(data) > mostPrompt {
		err = fmt.Errorf("standard input has more than %d MiB, the most of a prompt; give a shorter text", mostPrompt>>20)
	}
	return string(data), err
}
