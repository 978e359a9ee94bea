package main

import (
	"context"
	"io"
	"os"
)

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
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		*prompt = string(data)
	}
	beat.does("reading the prompt or writing")
	_, err = show(*prompt, m.Generate(context.Background(), *prompt, options))
	return err
}
