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
	amdxdna      = "levels of the clock in the amdxdna driver"
	charm        = "CHARM measurements and CDSE model"
	flm          = "FastFlowLM, watts of the NPU alone while it decodes on Krackan, 1.2 to 1.6, and while it reads a prompt, 0.9"
	horowitz     = "M. Horowitz, ISSCC 2014, scaled"
)
