package cache_test

import (
	"fmt"

	"github.com/go-acap/acap/llm/cache"
)

// Two sequences begin with the same 64 tokens: the second one gets the pages of the first, whose keys and values are
// there.
func Example() {
	pools := cache.NewPools(256, 2, 64, cache.Span{})
	prompt := make([]int, 70)
	for i := range prompt {
		prompt[i] = i
	}
	first := &cache.Sequence{Tokens: prompt, Prompt: len(prompt), Limit: 100}
	fmt.Println(first.Room(pools, len(prompt)), cache.PagesFor(len(prompt)), "pages")
	first.Advance(pools, len(prompt))

	second := &cache.Sequence{Tokens: append(prompt[:64:64], 900, 901), Prompt: 66, Limit: 100}
	second.Reuse(pools)
	fmt.Println(second.Reused, "tokens need not be computed")
	first.Leave(pools)
	second.Leave(pools)
	// Output:
	// true 3 pages
	// 64 tokens need not be computed
}
