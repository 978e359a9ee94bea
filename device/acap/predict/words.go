package predict

import "github.com/go-acap/acap/device/acap/machine"

// All that the words of a row can say is here: the patterns of plain text by what they tell. The grammar of the column
// dtype is in types.go.

// The shape of a kernel, in the column workload.
var (
	cubeName      = match(`(\d+)\^3`)                               // M, K and N of a product
	downName      = match(`\bdown k=(\d+)`)                         // K of the down projection of the model in mlir-air's registry
	elementsName  = match(`\bn=(\d+)`)                              // elements of a pointwise kernel
	shapeName     = match(`(\d+)x(\d+)`)                            // rows and their length
	layerName     = match(`(\d+)x(\d+)x(\d+) (\d+)x(\d+) s(\d+)\b`) // SCALE-Sim: an image, H x W x C, a filter and the stride
	imageName     = match(`(\d+)x(\d+)x(\d+)x(\d+)`)                // N x C x H x W
	filterName    = match(`(\d+)x(\d+)x(\d+)x(\d+).*?(\d+)x(\d+)x(\d+)x(\d+)`)
	strideName    = match(`\bstride ?=? ?(\d+)`)
	padName       = match(`\bpad(?:ding)? ?=? ?(\d+)`)
	ceilName      = match(`\bceil\b`) // windows that reach beyond the picture count
	attentionName = match(`dk(\d+)/(\d+) heads (\d+)/(\d+)`)
	causal        = match(`(?:^|[^-\w])causal(?: ✓|=true| yes|$)`)
	calc          = match(`\bcalc\b`) // SCALE-Sim: the memory is as fast as the array wants
)

// A whole mapping, in the column notes.
var (
	tileNote   = match(`l1 tile:? ?(\d+)x(\d+)x(\d+)`)                                   // ARIES: M, N and K of a core's tile
	herdNote   = match(`herd (\d+)x(\d+)[ ,;]+tile m/kl2/kl1/n (\d+)/(\d+)/(\d+)/(\d+)`) // mlir-air's registry
	sweepNote  = match(`tile_n=(\d+)[ ,;]+tile_k_l2=(\d+)`)                              // mlir-air's sweeps
	charmNote  = match(`a\*b\*c[ =]?(\d+)x(\d+)x(\d+)`)                                  // CHARM: parts of M, cascade, parts of N
	gemvNote   = match(`herd_m/tile_m/m_input (\d+)/(\d+)/(\d+)`)                        // columns, rows of a tile, rows of an input
	configNote = match(`cfg (\d+)/(\d+)/(\d+)`)                                          // columns, rows and elements of a tile
)

// A part of a mapping, in workload or notes.
var (
	partTile  = match(`\btile (\d+)x(\d+)x(\d+)`) // M, K and N
	partHerd  = match(`\bherd (\d+)x(\d+)`)       // columns and rows of cores
	partN     = match(`\btile_n[ =](\d+)`)
	partM     = match(`\btile_m[ =](\d+)`)
	partStyle = match(`\b(direct|drain|fused-cast|external)\b`)
	partition = match(`npu[12]_(\d)col`) // columns of a part of an array, in the column device
)

// Who made the kernels. A machine's styles name further makers.
var (
	// maker is at the beginning of the column source: the authors of a paper, or the repository.
	maker = match(`^.+? et al\b|^[^\s,]+`)
	// mlirAIE is mlir-aie and IRON, whose products stage one tile of each operand and hold none.
	mlirAIE = match(`\bmlir-aie\b|\biron\.operators\b|\bpeano\b`)
	// asymmetric is a design of others, which a compiler of mlir-aie may compile as well.
	asymmetric = match(`\basymmetric\b|\bflm\b|\bfastflowlm\b`)
	// wholePrograms is a compiler that makes the kernels of a whole program.
	wholePrograms = match(`\biree\b|\btriton\b|\btorch-mlir\b`)
)

// dispatches are the ways to start kernels, by words of workload or notes. The first pattern that matches counts.
var dispatches = []struct {
	said *pattern
	name string
}{
	{match(`\bqueued\b|\bback[ -]to[ -]back\b|\brunlist\b|\bin one dispatch\b`), "queued"},
	{match(`\bown elf\b|\bown xclbin\b|\bin the (?:en|de)coder\b|\bcontext switch`), "switched"},
	{match(`\bwall\b|\bhost clock\b|\bclock of the host\b|\biree\b`), "wall"},
	{match(`\bon the array\b|\bdevice time\b|\bwithout launch\b`), "alone"},
}

// modes are the ways to multiply bf16, by words of workload, dtype or notes. The first pattern that matches counts.
var modes = []struct {
	said *pattern
	name string
}{
	{match(`\b(?:not|no|without) (?:bfp16|emulat\w*)|\bnative\b|\bexact\b|\bemulat\w*[ =:]+(?:false|off|0)\b`), machine.BF16Exact},
	{match(`\bemulat|\bbfp16\b`), machine.BF16Emulated},
	{match(`\biron\.operators\.gemm\b`), machine.BF16Exact}, // as its tests make it: 2.2 TFLOPS of 2048^3
}

// differences are what a prediction leaves out, by words of workload or notes. A row that is otherwise measured something
// else for the most part, so that no interval is known.
var differences = []struct {
	said      *pattern
	remark    string
	otherwise bool
}{
	{match(`\bonnx ?runtime\b|\bort\b|\bvitis ai\b|\bryzenai\b|\bryzen ai\b|\bopenvino\b|\bdirectml\b|\blemonade\b`),
		"a runtime on the host takes part, which is not predicted", true},
	{wholePrograms, "kernels that a compiler makes for the whole program, of no style that is known", false},
	{match(`\bfirst version\b|\bscalar\b|\bnaive\b|\bunoptimi[sz]ed\b|\bnot vectori[sz]ed\b`),
		"kernels that are not vectorized take many times as long", true},
	{match(`\bpmode (?:default|balanced|powersaver?)\b|\bdefault mode\b`), "the driver sets the clock, to what the row does not say: see -mode", false},
	{match(`\baiesimulator\b|\bhw[-_ ]?emu\b|\bsimulat`), "simulated, not measured", true},
}
