package schedule_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector/function"
)

// The same transposed copy for vectors of 16 and of 64 bytes: lanes run along the loop in which results are neighbours.
func ExampleNewLoops() {
	k, err := kernel.Parse(`nest "transpose" outer=[1000,24] inner=[] {
  port f32 in len=24000 offset=0 outer=[1,1000] inner=[]
  port f32 out len=24000 offset=0 outer=[24,1] inner=[]
  stage {
    %0 = load f32 port=0
    store f32 %0 port=1
  }
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, bytes := range []int{16, 64} {
		p, err := schedule.NewLoops(k.(*kernel.Nest), schedule.Target{VectorBytes: bytes, Unroll: 4, InDouble: function.InDouble})
		if err != nil {
			fmt.Println(err)
			return
		}
		u := p.Units()
		fmt.Printf("%d lanes along loop %d, %d vectors a turn; a call does a range of loop %d; %d units\n",
			p.Lanes, p.Lane, p.Unroll, p.Row, u.Count())
	}
	// Output:
	// 4 lanes along loop 1, 4 vectors a turn; a call does a range of loop 0; 3 units
	// 16 lanes along loop 1, 1 vectors a turn; a call does a range of loop 0; 3 units
}
