package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

func init() {
	register(command{"generate", "go on behind a prompt with a language model", generate})
}

func generate(args []string) error {
	var o languageFlags
	var a answerFlags
	f := newFlags("generate", "MODEL [-p PROMPT] [flags]")
	o.flags(f)
	a.flags(f, 128)
	prompt := f.String("p", "", "the `text` to go on behind; without it standard input is read")
	path, err := parseOne(f, args)
	if err != nil {
		return err
	}
	options, err := a.options()
	if err != nil {
		return err
	}
	if *prompt == "" {
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		*prompt = string(data)
	}
	m, err := o.load(path)
	if err != nil {
		return err
	}
	defer m.Close()
	fmt.Fprint(stdout, *prompt)
	_, err = show(m.Generate(context.Background(), *prompt, options))
	return err
}
