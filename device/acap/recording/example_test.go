package recording_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/go-acap/acap/device/acap/recording"
)

// A core computes while the lowest bit of its signal is 1. Times are in picoseconds, and at 1 GHz a cycle has 1000 of
// them.
func ExampleReadVCD() {
	dump, err := recording.ReadVCD(strings.NewReader(`$timescale 1ps $end
$scope module array $end
$var wire 2 ! core_2_3 $end
$upscope $end
$enddefinitions $end
#0
b00 !
#5000
b01 !
#9000
b00 !
`))
	if err != nil {
		log.Fatal(err)
	}
	cores, err := dump.Calls(recording.OwnCores, 1e9)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range cores {
		fmt.Println(c.Col, c.Row, c.Spans)
	}
	// Output: 2 3 [{5 9}]
}
