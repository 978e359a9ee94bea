package division_test

import (
	"fmt"
	"os"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/division"
)

// The device runs two groups; an operation between them stays on the host.
func Example() {
	groups := division.Of([]device.Group{
		{Name: "main_group_0", Device: "acap:npu1", Ops: []string{"aten.mm", "aten.relu"}, Work: 60},
		{Device: "host", Ops: []string{"aten.linalg_qr"}, Work: 10, Problem: "the operator has no kernel"},
		{Name: "main_group_1", Device: "acap:npu1", Ops: []string{"aten.mm"}, Work: 30},
	}, map[string]string{"main_group_1": "func.func @main_group_1 …"})
	division.Write(os.Stdout, groups, 0)
	fmt.Println(division.OnDevice(groups), "groups on the device")
	// Output:
	// acap::CompilationGroup_0 = main_group_0 on acap:npu1: 2 operations, 60.0% of the work
	// on host: aten.linalg_qr, 10.0% of the work: the operator has no kernel
	// acap::CompilationGroup_1 = main_group_1 on acap:npu1: 1 operations, 30.0% of the work
	//     func.func @main_group_1 …
	// 2 groups on the device
}
