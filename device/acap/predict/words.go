package predict

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/notation"
)

// All that the words of a row can say is here: the patterns of plain text by what they tell. The grammar of the column
// dtype is in types.go.

// The shape of a kernel, in the column workload.
var (
	cubeName      = notation.Match(`(\d+)\^3`)                               // M, K and N of a product
	downName      = notation.Match(`\bdown k=(\d+)`)                         // K of the down projection of the model in mlir-air's registry
	elementsName  = notation.Match(`\bn=(\d+)`)                              // elements of a pointwise kernel
	shapeName     = notation.Match(`(\d+)x(\d+)`)                            // rows and their length
	layerName     = notation.Match(`(\d+)x(\d+)x(\d+) (\d+)x(\d+) s(\d+)\b`) // SCALE-Sim: an image, H x W x C, a filter and the stride
	imageName     = notation.Match(`(\d+)x(\d+)x(\d+)x(\d+)`)                // N x C x H x W
	filterName    = notation.Match(`(\d+)x(\d+)x(\d+)x(\d+).*?(\d+)x(\d+)x(\d+)x(\d+)`)
	strideName    = notation.Match(`\bstride ?=? ?(\d+)`)
	padName       = notation.Match(`\bpad(?:ding)? ?=? ?(\d+)`)
	ceilName      = notation.Match(`\bceil\b`) // windows that reach beyond the picture count
	attentionName = notation.Match(`dk(\d+)/(\d+) heads (\d+)/(\d+)`)
	causal        = notation.Match(`(?:^|[^-\w])causal(?: ✓|=true| yes|$)`)
	calc          = notation.Match(`\bcalc\b`) // SCALE-Sim: the memory is as fast as the array wants
)

// A whole mapping, in the column notes.
var (
	tileNote   = notation.Match(`l1 tile:? ?(\d+)x(\d+)x(\d+)`)                                   // ARIES: M, N and K of a core's tile
	herdNote   = notation.Match(`herd (\d+)x(\d+)[ ,;]+tile m/kl2/kl1/n (\d+)/(\d+)/(\d+)/(\d+)`) // mlir-air's registry
	sweepNote  = notation.Match(`tile_n=(\d+)[ ,;]+tile_k_l2=(\d+)`)                              // mlir-air's sweeps
	charmNote  = notation.Match(`a\*b\*c[ =]?(\d+)x(\d+)x(\d+)`)                                  // CHARM: parts of M, cascade, parts of N
	gemvNote   = notation.Match(`herd_m/tile_m/m_input (\d+)/(\d+)/(\d+)`)                        // columns, rows of a tile, rows of an input
	configNote = notation.Match(`cfg (\d+)/(\d+)/(\d+)`)                                          // columns, rows and elements of a tile
)

// A part of a mapping, in workload or notes.
var (
	partTile  = notation.Match(`\btile (\d+)x(\d+)x(\d+)`) // M, K and N
	partHerd  = notation.Match(`\bherd (\d+)x(\d+)`)       // columns and rows of cores
	partN     = notation.Match(`\btile_n[ =](\d+)`)
	partM     = notation.Match(`\btile_m[ =](\d+)`)
	partStyle = notation.Match(`\b(direct|drain|fused-cast|external)\b`)
	partition = notation.Match(`npu[12]_(\d)col`) // columns of a part of an array, in the column device
)

// Who made the kernels. A machine's styles name further makers.
var (
	// maker is at the beginning of the column source: the authors of a paper, or the repository.
	maker = notation.Match(`^.+? et al\b|^[^\s,]+`)
	// mlirAIE is mlir-aie and IRON, whose products stage one tile of each operand and hold none.
	mlirAIE = notation.Match(`\bmlir-aie\b|\biron\.operators\b|\bpeano\b`)
	// asymmetric is a design of others, which a compiler of mlir-aie may compile as well.
	asymmetric = notation.Match(`\basymmetric\b|\bflm\b|\bfastflowlm\b`)
	// wholePrograms is a compiler that makes the kernels of a whole program.
	wholePrograms = notation.Match(`\biree\b|\btriton\b|\btorch-mlir\b`)
)

// dispatches are the ways to start kernels, by words of workload or notes. The first pattern that matches counts.
var dispatches = []struct {
	said *notation.Pattern
	name string
}{
	{notation.Match(`\bqueued\b|\bback[ -]to[ -]back\b|\brunlist\b|\bin one dispatch\b`), "queued"},
	{notation.Match(`\bown elf\b|\bown xclbin\b|\bin the (?:en|de)coder\b|\bcontext switch`), "switched"},
	{notation.Match(`\bwall\b|\bhost clock\b|\bclock of the host\b|\biree\b`), "wall"},
	{notation.Match(`\bon the array\b|\bdevice time\b|\bwithout launch\b`), "alone"},
}

// modes are the ways to multiply bf16, by words of workload, dtype or notes. The first pattern that matches counts.
var modes = []struct {
	said *notation.Pattern
	name string
}{
	{notation.Match(`\b(?:not|no|without) (?:bfp16|emulat\w*)|\bnative\b|\bexact\b|\bemulat\w*[ =:]+(?:false|off|0)\b`), machine.BF16Exact},
	{notation.Match(`\bemulat|\bbfp16\b`), machine.BF16Emulated},
	{notation.Match(`\biron\.operators\.gemm\b`), machine.BF16Exact}, // as its tests make it: 2.2 TFLOPS of 2048^3
}

// differences are what a prediction leaves out, by words of workload or notes. A row that is otherwise measured
// something else for the most part, so that no interval is known.
var differences = []struct {
	said      *notation.Pattern
	remark    string
	otherwise bool
}{
	{notation.Match(`\bonnx ?runtime\b|\bort\b|\bvitis ai\b|\bryzenai\b|\bryzen ai\b|\bopenvino\b|\bdirectml\b|\blemonade\b`),
		"a runtime on the host takes part, which is not predicted", true},
	{wholePrograms, "kernels that a compiler makes for the whole program, of no style that is known", false},
	{notation.Match(`\bfirst version\b|\bscalar\b|\bnaive\b|\bunoptimi[sz]ed\b|\bnot vectori[sz]ed\b`),
		"kernels that are not vectorized take many times as long", true},
	{notation.Match(`\bpmode (?:default|balanced|powersaver?)\b|\bdefault mode\b`), "the driver sets the clock, to what the row does not say: see -mode", false},
	{notation.Match(`\baiesimulator\b|\bhw[-_ ]?emu\b|\bsimulat`), "simulated, not measured", true},
}
