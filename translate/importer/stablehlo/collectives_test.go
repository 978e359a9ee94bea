package stablehlo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest/heap"
)

// TestCollectives compares collectives of random groups with their definition, for ids of replicas, of partitions, of
// replicas in all partitions, and of both.
func TestCollectives(t *testing.T) {
	const replicas, partitions, each = 4, 2, 8
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 60 {
		name := []string{"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_broadcast"}[i%5]
		combined := i%5 < 3 // these take ids of replicas over all partitions
		ids, attrs, strategy := replicas, "", r.IntN(3)
		if strategy == 2 && !combined {
			strategy = 1
		}
		switch channel := ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"; {
		case strategy == 2:
			ids, attrs = replicas*partitions, channel+", use_global_device_ids"
		case strategy == 1 && combined:
			attrs = channel
		case strategy == 1:
			ids, attrs = partitions, channel
		}
		size := 1 << r.IntN(3)
		for ids%size != 0 {
			size /= 2
		}
		order := r.Perm(ids)
		var rows []string
		var groups [][]int // of places in the grid, replica by replica
		add := func(group []int) { groups = append(groups, group) }
		for row := range slices.Chunk(order, size) {
			rows = append(rows, listOf(row))
			switch {
			case strategy == 2:
				add(row)
			case strategy == 1 && combined:
				var group []int
				for p := range partitions {
					for _, id := range row {
						group = append(group, id*partitions+p)
					}
				}
				add(group)
			case strategy == 1:
				for replica := range replicas {
					var group []int
					for _, id := range row {
						group = append(group, replica*partitions+id)
					}
					add(group)
				}
			default:
				for p := range partitions {
					var group []int
					for _, id := range row {
						group = append(group, id*partitions+p)
					}
					add(group)
				}
			}
		}
		all := len(groups[0])
		out := map[string]int{"all_gather": each * all, "reduce_scatter": each / all}[name]
		if out == 0 {
			out = each
		}
		attrs = fmt.Sprintf("{replica_groups = dense<[%s]> : tensor<%dx%dxi64>%s", strings.Join(rows, ", "), len(rows), size, attrs)
		region := "({\n^bb0(%a: tensor<i32>, %b: tensor<i32>):\n%s = stablehlo.add %a, %b : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) "
		switch name {
		case "all_gather":
			region, attrs = "", attrs+", all_gather_dim = 0 : i64"
		case "reduce_scatter":
			attrs += ", scatter_dimension = 0 : i64"
		case "all_to_all":
			region, attrs = "", attrs+fmt.Sprintf(", split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = %d : i64", all)
		case "collective_broadcast":
			region = ""
		}
		from, to := typeOf([]int{each}, dtype.I32), typeOf([]int{out}, dtype.I32)
		processes := replicas * partitions
		var args, names, programs []string
		var inputs []*buf.Buffer
		for p := range processes {
			args, names = append(args, fmt.Sprintf("%%x%d: %s", p, from)), append(names, fmt.Sprintf("%%x%d", p))
			inputs = append(inputs, small(r, dtype.I32, []int{each}))
		}
		for range replicas {
			programs = append(programs, "["+strings.Join(slices.Repeat([]string{"@p"}, partitions), ", ")+"]")
		}
		froms, tos := strings.Join(slices.Repeat([]string{from}, processes), ", "), strings.Join(slices.Repeat([]string{to}, processes), ", ")
		var results []string
		for p := range processes {
			results = append(results, fmt.Sprintf("%%r#%d", p))
		}
		text := fmt.Sprintf(`module {
func.func private @p(%%x: %[1]s) -> %[2]s {
%%0 = "stablehlo.%[3]s"(%%x) %[4]s%[5]s} : (%[1]s) -> %[2]s
return %%0 : %[2]s
}
func.func @main(%[6]s) -> (%[7]s) {
%%r:%[8]d = "interpreter.run_parallel"(%[9]s) {programs = [%[10]s]} : (%[11]s) -> (%[7]s)
return %[12]s : %[7]s
}
}`, from, to, name, region, attrs, strings.Join(args, ", "), tos, processes, strings.Join(names, ", "), strings.Join(programs, ", "), froms,
			strings.Join(results, ", "))
		got := compute(t, text, inputs...)
		for _, group := range groups {
			of := func(p int) []int32 { return buf.Slice[int32](inputs[p]) }
			sum := make([]int32, each)
			var joined []int32
			for _, p := range group {
				for k, v := range of(p) {
					sum[k] += v
				}
				joined = append(joined, of(p)...)
			}
			for at, p := range group {
				var want []int32
				part := each / all
				switch name {
				case "all_reduce":
					want = sum
				case "all_gather":
					want = joined
				case "reduce_scatter":
					want = sum[at*part : (at+1)*part]
				case "all_to_all":
					for _, q := range group {
						want = append(want, of(q)[at*part:(at+1)*part]...)
					}
				case "collective_broadcast":
					want = of(group[0])
				}
				require.Equal(t, want, buf.Slice[int32](got[p]), "process %d: %s", p, text)
			}
		}
	}
}

// TestDynamicRoots: each value of a broadcast comes from the member of the group that its root names.
func TestDynamicRoots(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for range 8 {
		group := r.Perm(3)
		roots := []int{r.IntN(3), r.IntN(3)}
		text := fmt.Sprintf(`module {
func.func private @p(%%x: tensor<2xi32>, %%y: tensor<3xi32>) -> (tensor<2xi32>, tensor<3xi32>) {
%%r = stablehlo.constant dense<[%d, %d]> : tensor<2xi64>
%%0:2 = "stablehlo.collective_broadcast"(%%x, %%y, %%r) {replica_groups = dense<[%s]> : tensor<1x3xi64>, has_dynamic_root} : (tensor<2xi32>, tensor<3xi32>, tensor<2xi64>) -> (tensor<2xi32>, tensor<3xi32>)
return %%0#0, %%0#1 : tensor<2xi32>, tensor<3xi32>
}
func.func @main(%%a: tensor<2xi32>, %%b: tensor<3xi32>, %%c: tensor<2xi32>, %%d: tensor<3xi32>, %%e: tensor<2xi32>, %%f: tensor<3xi32>) -> (tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>) {
%%r:6 = "interpreter.run_parallel"(%%a, %%b, %%c, %%d, %%e, %%f) {programs = [[@p], [@p], [@p]]} : (tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>) -> (tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>)
return %%r#0, %%r#1, %%r#2, %%r#3, %%r#4, %%r#5 : tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<3xi32>
}
}`, roots[0], roots[1], listOf(group))
		var inputs []*buf.Buffer
		for k := range 6 {
			inputs = append(inputs, small(r, dtype.I32, []int{2 + k%2}))
		}
		for k, got := range compute(t, text, inputs...) {
			require.Equal(t, inputs[2*group[roots[k%2]]+k%2].Bytes(), got.Bytes(), text)
		}
	}
}
