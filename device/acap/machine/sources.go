package machine

// ModelSource is the source of the constants that whole language models told.
const ModelSource = "mlir-air language models, programs and whole models"

// Sources of the constants.
const (
	targetModel  = "mlir-aie AIETargetModel.h"
	devices      = "mlir-aie docs/Devices.md 1.4.0"
	am009        = "AMD AM009"
	am020        = "AMD AM020"
	ug1079       = "AMD UG1079"
	ug1603       = "AMD UG1603"
	ds957        = "AMD DS957"
	aries        = "ARIES example_gemm measurements, 300 rows"
	airRegistry  = "mlir-air kernel registry measurements"
	ironCI       = "amd/IRON, measurements of its continuous integration on Krackan"
	compiledRows = "NpuEmbeddings and amd/IRON issue 172, i8 on npu2"
	ireeRows     = "nod-ai/iree-amd-aie issues 1183 and 1198, pull requests 1178 and 1245: i8 on npu2, March and April 2025"
	takaKernels  = "E. Taka et al., Striking the Balance, 2025: one core's multiply-accumulates a cycle in 24 kernels, compiled by chess"
	amdxdna      = "levels of the clock in the amdxdna driver"
	charm        = "CHARM measurements and CDSE model"
	flm          = "FastFlowLM, watts of the NPU alone while it decodes on Krackan, 1.2 to 1.6, and while it reads a prompt, 0.9"
	horowitz     = "M. Horowitz, ISSCC 2014, scaled"
)

// flmMakers are those whose kernels are like FastFlowLM's.
var flmMakers = []string{"flm", "fastflowlm", "asymmetric"}
