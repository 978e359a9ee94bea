package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/go-acap/acap/llm"
)

func main() {
	model, err := llm.Load(os.Args[1], llm.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for piece, err := range model.Generate(context.Background(), "Once upon a time", llm.Options{MaxTokens: 64}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(piece.Text)
	}
}
