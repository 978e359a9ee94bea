package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/go-acap/acap/llm"
)

func init() {
	register(command{"chat", "talk with a language model", chat})
}

func chat(args []string) error {
	f := newFlags("chat", "MODEL [-system TEXT] [flags]")
	system := f.String("system", "", "what the model is told first, a `text`")
	m, options, err := openLanguage(f, args, 0)
	if err != nil {
		return err
	}
	defer m.Close()
	if !m.HasTemplate() {
		return llm.ErrNoTemplate
	}
	var messages []llm.Message
	if *system != "" {
		messages = append(messages, llm.Message{Role: "system", Content: *system})
	}
	beat.rests()
	fmt.Fprintln(os.Stderr, "Each line is a message; an empty line or the end of the input ends the chat. Ctrl-C ends an answer.")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for {
		fmt.Fprint(os.Stderr, "> ")
		if !lines.Scan() || strings.TrimSpace(lines.Text()) == "" {
			return lines.Err()
		}
		messages = append(messages, llm.Message{Role: "user", Content: lines.Text()})
		answer, err := answerTo(m, messages, options)
		if err != nil {
			return err
		}
		messages = append(messages, llm.Message{Role: "assistant", Content: answer})
	}
}

// answerTo shows an answer, which an interrupt ends.
func answerTo(m *llm.Model, messages []llm.Message, o llm.Options) (string, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	text, err := show("", m.Chat(ctx, messages, o))
	if errors.Is(err, context.Canceled) {
		if text == "" { // the line of the interrupt
			fmt.Fprintln(stdout)
		}
		return text, nil
	}
	return text, err
}
