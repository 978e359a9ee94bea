package native

import (
	"testing"

	"github.com/go-acap/acap/kernel"
)

// FuzzCompile compiles whatever parses and verifies, for every level.
func FuzzCompile(f *testing.F) {
	f.Add(lookup(4, 3, 5, 9).String())
	f.Add(gptAttention(40).String())
	f.Add(`nest "row" outer=[4] inner=[8] {
  port f32 in len=32 offset=0 outer=[8] inner=[1]
  port f32 out len=4 offset=0 outer=[1] inner=[0]
  stage {
    %0 = load f32 port=0
    %1 = exp f32 %0
    reduce max f32 %1 init=0
    keep %1
  }
  once {
    %0 = acc f32 stage=0 number=0
    store f32 %0 port=1
  }
}`)
	f.Add(`contraction "product" batch=[2] m=3 n=5 k=4 acc=f32 {
  a bf16 in len=24 offset=0 batch=[12] row=4 col=1
  b bf16 in const len=40 offset=0 batch=[20] row=5 col=1
  port f32 out len=30 offset=0 outer=[15,5,1]
  epilogue {
    %0 = input f32
    store f32 %0 port=2
  }
}`)
	f.Fuzz(func(t *testing.T, text string) {
		k, err := kernel.Parse(text)
		if err != nil || kernel.Verify(k) != nil {
			return
		}
		for _, l := range levels() {
			code, err := CompileFor(k, l)
			if err != nil {
				continue
			}
			code.Units()
			code.Close()
		}
	})
}
