package acap_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// long lists the tests that do more with ACAP_LONG=1, by folder and name, what makes the run long, and what it takes of
// processors if that is many seconds. A reason that begins with "only" is of a test that a usual run skips.
var long = map[string]string{
	"TestNestedModulesAreFetched":                    "only: copies the history, 10 s",
	"TestNestedModulesFindNames":                     "only: reads files of an older commit, 1 s",
	"TestNothingIsFused":                             "only: compiles for arm64, 40 s",
	"TestOtherPlatforms":                             "the second platform that is refused, 4 s",
	"TestPlatforms":                                  "type-checks all for five platforms more, 7 s each",
	"TestWebAssembly":                                "only: compiles for and runs on a host of WebAssembly, 140 s; TestPlatforms checks the types",
	"bench.TestAccounts":                             "four networks on an array each; a usual run has one, and -long all on both",
	"bench.TestCases":                                "models, training and starts of processes; a usual run has every fifth case",
	"bench.TestPipelineOverBatch":                    "only: eight images in every way to share an array; -long has more networks and arrays",
	"bench.TestTileExact":                            "every model on two arrays; a usual run has three models on one, with half the batch",
	"bench.TestTimesAgree":                           "large models as well, 8 in all, each on one array; a usual run has two small ones",
	"cmd/acap.TestUpstreamAgrees":                    "five operators in two modes; a usual run has each in one",
	"cmd/acap.TestTimesAgree":                        "four models on every array; a usual run has two, each on one",
	"device/acap.TestPipeline":                       "three arrays; a usual run has one",
	"device/acap/placement.TestBudget":               "three arrays; a usual run has one",
	"device/acap.TestPipelineOutside":                "two arrays; a usual run has one",
	"device/acap.TestResidency":                      "three arrays; a usual run has one",
	"device/acap.TestResidencyOrNot":                 "two arrays; a usual run has one",
	"device/acap.TestReportOnEveryMachine":           "every machine; a usual run has every fourth",
	"device/acap/deadlock.TestAgreesWithExploration": "200 programs in every possible order",
	"device/acap/event.TestBatches":                  "four arrays; a usual run has two",
	"device/acap/event.TestInvariants":               "60 kernels, event by event",
	"device/acap/event.TestSkippingIsExact":          "60 kernels, every iteration of each",
	"device/acap/event.TestUniformProducts":          "8 large products on every array, event by event",
	"device/acap/event.TestAttention":                "all kernels of a sample, on every array, event by event",
	"device/acap/event.TestLongScatters":             "all kernels of a sample, on every array, event by event",
	"device/acap/event.TestLongSorts":                "all kernels of a sample, on every array, event by event",
	"device/acap/event.TestRowsInPieces":             "all kernels of a sample, on every array, event by event",
	"device/acap/mapper.TestAttentionFloor":          "40 kernels of attention on every array; a usual run has 3",
	"device/acap/mapper.TestConstants":               "every fourth constant of every machine; a usual run has an eighth of one machine",
	"device/acap/mapper.TestDeadTiles":               "40 kernels, mapped to arrays with dead tiles",
	"device/acap/mapper.TestEmittedUneven":           "a product and a convolution, text at two levels in two versions; a usual run has one text of the product",
	"device/acap/mapper.TestEmittedHalfWords":        "rows, points and a mask of two types on two arrays; a usual run has one type on one",
	"device/acap/mapper.TestEmittedVectors":          "nine products with one vector; a usual run has three",
	"device/acap/mapper.TestEmitted":                 "22 products on every array; a usual run has 9 on one",
	"device/acap/mapper.TestPlainConvolution":        "three machines; a usual run has one",
	"device/acap/mapper.TestTraffic":                 "60 kernels, mapped to three arrays",
	"device/acap/mapper.TestHalfK":                   "5 products, mapped to every array",
	"device/acap/mapper.TestFittingShapes":           "four shapes; a usual run has two",
	"device/acap/mapper.TestImpossible":              "two machines; each refuses after a whole search",
	"device/acap/mapper.TestMapNearSearch":           "12 kernels, by exhaustive search",
	"device/acap/mapper.TestMoreMemory":              "20 products, each mapped twice",
	"device/acap/mapper.TestMoreIsNoSlower":          "700 points on five machines; a usual run has sixteen on one",
	"device/acap/mapper.TestPrograms":                "20 kernels, mapped to every array",
	"device/acap/mapper.TestProgramsFinish":          "20 kernels, mapped to every array and run",
	"device/acap/mapper.TestQueues":                  "how many of a whole sample run out of queues",
	"device/acap/mapper.TestRestore":                 "50 mappings, each altered 100 times; a usual run has 4 and 40",
	"device/acap/mapper.TestRunnersAndRejected":      "the search for a large product",
	"device/acap/mapper.TestBytes":                   "a third of a sample of kernels, mapped to every array",
	"device/acap/mapper.TestEstimates":               "a third of a sample of kernels, mapped to every array",
	"device/acap/mapper.TestMirrored":                "a third of a sample of kernels, mapped to every array",
	"device/acap/mapper.TestMonotone":                "a third of a sample of kernels, mapped to every array",
	"device/acap/mapper.TestResources":               "a third of a sample of kernels, mapped to every array",
	"device/acap/predict.TestAllTypes":               "all types of every machine; a usual run has every fourth",
	"device/acap/predict.TestBest":                   "the search for every row; a usual run has every eighth",
	"device/acap/predict.TestCores":                  "five numbers of cores; a usual run has three",
	"device/acap/predict/language.TestLanguageSteps": "thirteen prompts; a usual run has four",
	"device/acap/predict.TestUnseen":                 "rows of 20 sources, 15 s; none in a usual run",
	"device/acap/predict.TestElsewhere":              "all rows of other sources; a usual run has every eighth",
	"device/acap/predict.TestMoreTakesLonger":        "every kernel on two arrays, 15 s; a usual run has every second kernel on one",
	"device/acap/predict/calibrate.TestDisturbed":    "all rows of npu1, 13 s; a usual run has one of 15",
	"device/acap/predict.TestUnmapped":               "every fourth row; a usual run has one of 24",
	"device/acap/tileexact.TestAttentionPlaces":      "eleven mappings, tile by tile; a usual run has four",
	"device/acap/tileexact.TestHeldStrips":           "eight products, tile by tile; a usual run has four",
	"device/acap/tileexact.TestPartedStreams":        "nine mappings, tile by tile; a usual run has three",
	"device/acap/tileexact.TestRandomKernels":        "60 kernels, tile by tile",
	"device/acap/tileexact.TestRowValues":            "rows that no core holds, on every array",
	"device/acap/tileexact.TestRowsInPieces":         "every array, three types of one, two and three rows; a usual run has one, two types of two",
	"device/acap/tileexact.TestSortsInPieces":        "every array, both orders of two types; a usual run has one, and one order of each",
	"device/acap/tileexact.TestModels":               "eight models, each on every second array; a usual run has two on one",
	"device/acap/tileexact.TestSamples":              "all operators on every array; a usual run has every third on one",
	"device/acap/tileexact.TestPacked":               "every array; a usual run has one",
	"device/acap/tileexact.TestScansInPieces":        "every array; a usual run has one",
	"device/acap/tileexact.TestScattersInPieces":     "every array; a usual run has one",
	"device/acap/tileexact.TestSearch":               "every array; a usual run has one",
	"device/acap/tileexact.TestSmallProducts":        "every array; a usual run has one",
	"device/acap/timing.TestBuffers":                 "25 kernels on every array; a usual run has 12",
	"device/acap/timing.TestEvents":                  "30 kernels, event by event",
	"device/acap/timing.TestFloor":                   "2,500 mappings; a usual run has half",
	"device/acap/timing.TestMoreWork":                "25 kernels on every array; a usual run has 12",
	"device/acap/timing.TestUnits":                   "60 kernels in other units",
	"device/artifact.TestMutants":                    "ten altered files for each of a usual run",
	"kernel/native.TestNestsOnArm64":                 "10,000 nests",
	"kernel/native.TestKindsOnArm64":                 "all formats of blocks, on four processors each; a usual run has a fifth on one",
	"kernel/native.TestFarMemory":                    "12 kernels of each kind; fresh pages for each element",
	"kernel/native.TestFarStrides":                   "60 kernels of each kind for each processor",
	"kernel/native.TestRandomNests":                  "400 nests at each level",
	"kernel/native.TestAttention":                    "all kernels of a sample at each level, compared with the interpreter",
	"kernel/native.TestContractions":                 "all kernels of a sample at each level, compared with the interpreter",
	"kernel/native.TestConvolutions":                 "all kernels of a sample at each level, compared with the interpreter",
	"kernel/native.TestDeferredEpilogues":            "all kernels of a sample at each level, compared with the interpreter",
	"kernel/native.TestSpreadConvolutions":           "all kernels of a sample at each level, compared with the interpreter",
	"kernel/vector/convolve.TestRandom":              "70 convolutions for each processor",
	"kernel/vector/convolve.TestWide":                "8 convolutions for each processor",
	"kernel/vector/convolve.TestWidened":             "50 convolutions for each processor",
	"kernel/vector/convolve.TestWinograd":            "48 convolutions for each processor",
	"kernel/x86/emit.TestPrograms":                   "20,000 programs for each processor",
	"kernel/vector/gemm.TestDeep":                    "three deep products for each processor; a usual run has one",
	"kernel/vector/gemm.TestRandom":                  "10 products of all types for each processor",
	"kernel/vector/gemm.TestStream":                  "20 products of all types for each processor",
	"kernel/vector/gemm.TestTilePacked":              "15 products for each processor",
	"lazy.TestLongTraceIsLinear":                     "a million calls, of which the time is compared",
	"lazy.TestMillionsUnderMaxPending":               "ten million calls",
	"ops.TestParameters":                             "100,000 numbers of each distribution; a usual run has 1,000",
	"ops.TestPrograms":                               "a third of the recorded programs; a usual run has every sixth",
	"ops.TestRecorded":                               "all 14000 recorded programs, 15 s; a usual run has every seventh of each family",
	"ops.TestTableGradients":                         "every operator of the table; a usual run has every eighth",
	"llm/account.TestServed":                         "only: prompts of two models, 4 s",
	"llm/account.TestWatts":                          "only: prompts and tokens of three models, 9 s",
	"llm/account.TestTokens":                         "eight models; a usual run has the five of fewer layers",
	"llm.TestFootprintOfPasses":                      "only: compiles passes of two shapes, 6 s",
	"llm/serve.TestManyClients":                      "50 clients for a minute; in a usual run each asks three times",
	"llm.TestCacheTypes":                             "bf16 as well as f16, and their kernels, 2 s",
	"llm.TestArchitectures":                          "the chunked windows of llama4_text-paged; all rows of short prompts at once as well, 3 s",
	"llm.TestBytesOfWindows":                         "only: 10,000 tokens of two models, 9 s",
	"llm.TestFlatMemory":                             "only: 10,000 tokens, 2 s",
	"ops.TestTableRecorded":                          "all 6700 recorded programs of the table; a usual run has every eighth of each family",
	"ops.TestComplexRecorded":                        "all 1400 recorded programs with complex tensors; a usual run has every eighth of each family",
	"tensor.TestForgottenBarrier":                    "a million steps",
	"tensor.TestHostile":                             "4000 calls with odd arguments",
	"tensor.TestHundredGoroutines":                   "100 turns of a hundred goroutines",
	"tensor/distributed.TestCollectives":             "tensors of 60,000 elements",
	"tensor/distributed.TestOverlapSavesTime":        "only: compares times of the clock; another test has the order of what overlaps",
	"tensor/distributed/mpi.TestCollectives":         "every number of ranks, as processes, and tensors of ten million elements",
	"tensor/distributed/mpi.TestFailures":            "the programs may take an hour",
	"tensor/nn.TestReproducible":                     "three batches; a usual run has two",
	"tensor/opinfo.TestPrograms":                     "all recorded programs on the array; a usual run has every sixth of each family",
	"tools/mutants.TestArrayMutants":                 "a thousand altered files of each format that the array reads",
	"tools/mutants.TestCacheMutants":                 "twenty altered entries of the cache for each of a usual run",
	"tools/mutants.TestMutants":                      "twenty altered files of each format for each of a usual run",
}

// TestLong holds the list against the tests that ask package longtest, themselves or by a function of their package.
// Nothing else may read its variable.
func TestLong(t *testing.T) {
	const path = module + "/base/longtest"
	type function struct {
		long, only bool     // the function asks package longtest; a usual run skips the function
		names      []string // in the function, variables and fields aside
	}
	folders := map[string]map[string]*function{}
	for _, name := range filesAbout(t, `longtest`, `ACAP_LONG`) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		require.NotContains(t, literals(file), `"ACAP_LONG"`, "%s reads the variable of package longtest", name)
		asks := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+path+`"` })
		if !strings.HasSuffix(name, "_test.go") {
			require.False(t, asks, "%s is no test", name)
			continue
		}
		folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name))+".", "..")
		if folders[folder] == nil {
			folders[folder] = map[string]*function{}
		}
		for _, d := range file.Decls {
			declared, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			f := &function{}
			ast.Inspect(declared.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "longtest" && asks {
						f.long, f.only = true, f.only || n.Sel.Name == "Only"
					}
				case *ast.Ident:
					if n.Obj == nil || n.Obj.Kind == ast.Fun { // no variable
						f.names = append(f.names, n.Name)
					}
				}
				return true
			})
			if declared.Recv == nil {
				folders[folder][declared.Name.Name] = f
			} else {
				require.False(t, f.long, "%s: the list has no methods, as %s", name, declared.Name.Name)
			}
		}
	}
	found := map[string]bool{} // whether a usual run skips it
	for folder, functions := range folders {
		for more := true; more; {
			more = false
			for _, f := range functions {
				for _, name := range f.names {
					if g := functions[name]; g != nil && (g.long && !f.long || g.only && !f.only) {
						f.long, f.only, more = true, f.only || g.only, true
					}
				}
			}
		}
		for name, f := range functions {
			if f.long && strings.HasPrefix(name, "Test") {
				found[folder+name] = f.only
			}
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(long)))
	for key, only := range found {
		require.Equal(t, only, strings.HasPrefix(long[key], "only: "), key)
		require.NotEmpty(t, strings.TrimPrefix(long[key], "only: "), key)
	}
}

// filesAbout returns the files of Go, without package longtest's, that have one of two words, and the tests in folders
// of tests that have: a test may ask by a function of another file.
func filesAbout(t *testing.T, word, other string) (list []string) {
	tests, asked := map[string][]string{}, map[string]bool{}
	for _, path := range textFiles(t) {
		folder, name := filepath.Split(path)
		if filepath.Ext(name) != ".go" || filepath.ToSlash(folder) == "base/longtest/" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		has := bytes.Contains(text, []byte(word)) || bytes.Contains(text, []byte(other))
		switch {
		case strings.HasSuffix(name, "_test.go"):
			tests[folder] = append(tests[folder], path)
			asked[folder] = asked[folder] || has
		case has:
			list = append(list, path)
		}
	}
	for folder := range asked {
		if asked[folder] {
			list = append(list, tests[folder]...)
		}
	}
	return list
}

// literals returns the strings and numbers of a file.
func literals(file *ast.File) (list []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok {
			list = append(list, l.Value)
		}
		return true
	})
	return list
}
