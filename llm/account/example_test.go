package account_test

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/language"
	"github.com/go-acap/acap/llm/account"
)

// A prompt of 128 tokens reads the weights once, and takes less than 128 tokens one after the other.
func ExampleToken() {
	npu2, err := machine.Preset("npu2")
	if err != nil {
		panic(err)
	}
	d := &language.Decoder{Layers: 2, Emb: 512, Heads: 8, KVHeads: 4, HeadDim: 64, Hidden: 1536, Vocab: 4096}
	token, err := account.Token(npu2, d, 1, 128)
	if err != nil {
		panic(err)
	}
	prompt, err := account.Token(npu2, d, 128, 128)
	if err != nil {
		panic(err)
	}
	fmt.Println(token.Seconds() > 0, prompt.Seconds() < 128*token.Seconds())
	// Output: true true
}
