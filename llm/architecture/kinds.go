package architecture

import (
	"maps"
	"math"
	"slices"
)

// Kind is a kind of model: its names in files, and what follows from the name alone. The rest is in the metadata.
type Kind struct {
	types  []string    // model_type of config.json
	base   Description // what the name says
	within string      // files of GGUF have the name of another kind, whose metadata tells them apart
	folder bool        // only folders are of this kind

	pairs       bool // files of GGUF have the pairs of rotary positions side by side
	pattern     int  // every so manieth layer has no window, the others have one; 0 for all
	wholeFirst  bool // the first of so many layers has no window, not the last one
	unscaled    bool // files of GGUF scale no positions of layers with a window
	divided     bool // files of GGUF have the number by which scores are divided, and not the one by which they are multiplied
	windowsFrom bool // layers of folders have a window from the one of max_window_layers on
	sqrt        bool // embeddings are multiplied by the root of their width
	UnitNorm    bool // weights of norms in folders are what is added to one

	Behind     bool     // folders have norms behind the parts of a layer under the names of those in front of them
	Columns    bool     // matrices of folders are inputs by outputs
	Swapped    bool     // so are matrices of all experts in one tensor
	Alternates bool     // and their rows of gates and of the others alternate
	Grouped    bool     // rows of folders are, in turn, the queries that share a key, the key, and the value
	Wanted     []string // weights that the layers of a folder have
	tiled      bool     // in GGUF files head i of values takes key head i modulo their number
	turnPairs  bool     // folders have the pairs of rotary positions side by side, too
	doubled    bool     // files of GGUF have twice the hidden width
	shared     bool     // one more expert, as wide as the others, sees all tokens
	turned     bool     // files of GGUF say in rope.scaling.finetuned whether positions turn heads, which they do without the key
	unrounded  bool     // files of GGUF have bounds of YaRN that are not rounded

	bySize func(d *Description) // what files of GGUF leave to the size of the model, in front of what their keys say
}

var decoder = Description{Norm: "rms", Activation: "silu", Gated: true, Positions: "rotary", Epsilon: 1e-6}

// with changes a copy of a description.
func (d Description) with(change func(d *Description)) Description {
	change(&d)
	return d
}

func experts(score string, normalise bool) *Experts {
	return &Experts{Score: score, Normalise: normalise}
}

var moe = decoder.with(func(d *Description) { d.Experts = experts("softmax", true) })

// deltaRule is the recurrence of Qwen3-Next. Every fourth layer has attention instead.
var deltaRule = &Recurrence{Delta: true, Taps: 4, NormGroups: 1}

// nemotronH has one part a layer, which the metadata says.
var nemotronH = decoder.with(func(d *Description) {
	d.Positions, d.Activation, d.Gated, d.Epsilon = "none", "relu2", false, 1e-5
	d.Feeds, d.Recurrence, d.Experts = []bool{}, &Recurrence{Taps: 4}, experts("sigmoid", true)
})

var layered = Description{Norm: "layer", Activation: "gelu_tanh", Positions: "learned", Epsilon: 1e-5}

var gemma = decoder.with(func(d *Description) { d.Activation = "gelu_tanh" })

var cohere = decoder.with(func(d *Description) { d.Norm, d.Parallel = "layer", true })

var encoder = layered.with(func(d *Description) { d.Encoder, d.After, d.Activation, d.Epsilon = true, true, "gelu", 1e-12 })

// gemma27B has the model with the given layers, of 27B parameters, scale scores by the width of a row for each head.
func gemma27B(layers int) func(d *Description) {
	return func(d *Description) {
		if d.Layers == layers {
			d.AttentionScale = 1 / math.Sqrt(float64(d.Width)/float64(d.Heads))
		}
	}
}

// baichuan13B has the model of 13B parameters add slopes to scores in place of turned heads.
func baichuan13B(d *Description) {
	if d.Layers == 40 {
		d.Positions, d.SlopeBound = "slopes", 8
	}
}

// miniCPM is the scales of files without keys.
func miniCPM(d *Description) {
	d.ResidualScale, d.LogitScale = 1.4/math.Sqrt(float64(d.Layers)), 256/float64(d.Width)
}

// kinds are the kinds of models by their names in GGUF.
var kinds = map[string]Kind{
	"llama":    {types: []string{"llama", "mistral", "smollm", "ministral", "cwm"}, base: decoder, pairs: true},
	"mistral3": {types: []string{"ministral3"}, base: decoder.with(func(d *Description) { d.TemperatureAll = true }), pairs: true},
	"mixtral":  {types: []string{"mixtral"}, base: moe, pairs: true, within: "llama"},
	"smollm3": {types: []string{"smollm3"}, base: decoder.with(func(d *Description) { d.RotaryEvery = 4 }),
		pairs: true},
	"llama4": {types: []string{"llama4_text", "llama4"}, pairs: true, turnPairs: true, Swapped: true,
		base: decoder.with(func(d *Description) {
			d.RotaryEvery, d.Chunked, d.UnitHeadNorm, d.Window = 4, true, true, 8192
			d.Temperature, d.TemperatureLen = 0.1, 8192
			d.Experts = &Experts{Score: "sigmoid", ScaleInput: true}
		}), pattern: 4, shared: true},
	"qwen2":    {types: []string{"qwen2"}, base: decoder, windowsFrom: true},
	"qwen2moe": {types: []string{"qwen2_moe"}, base: decoder.with(func(d *Description) { d.Experts = experts("softmax", false) }), windowsFrom: true},
	"qwen3":    {types: []string{"qwen3"}, base: decoder, windowsFrom: true},
	"qwen3moe": {types: []string{"qwen3_moe"}, base: moe},
	"gemma":    {types: []string{"gemma"}, base: gemma, sqrt: true, UnitNorm: true},
	"gemma2": {types: []string{"gemma2"}, Behind: true, sqrt: true, UnitNorm: true, pattern: 2, bySize: gemma27B(46),
		base: gemma.with(func(d *Description) { d.ScoreCap, d.LogitCap = 50, 30 })},
	"gemma3": {types: []string{"gemma3_text", "gemma3"}, Behind: true, sqrt: true, UnitNorm: true, pattern: 6, bySize: gemma27B(62),
		base: gemma.with(func(d *Description) { d.LocalRotary = &Rotary{Theta: 1e4} })},
	"gemma4": {types: []string{"gemma4_text", "gemma4", "gemma4_unified_text", "gemma4_unified"}, Behind: true, sqrt: true, pattern: 6, base: gemma.with(func(d *Description) {
		d.LocalRotary, d.LocalHeads, d.UnitValues, d.AttentionScale = &Rotary{Theta: 1e4}, &LocalHeads{}, true, 1
		d.LogitCap = 30 // of files that say nothing, as in llama.cpp
		d.Experts = &Experts{Score: "softmax", Normalise: true, Beside: true}
	})},
	"phi2":    {types: []string{"phi"}, base: layered.with(func(d *Description) { d.Parallel, d.Positions = true, "rotary" })},
	"phi3":    {types: []string{"phi3"}, base: decoder},
	"gpt-oss": {types: []string{"gpt_oss"}, pattern: 2, unrounded: true, Swapped: true, Alternates: true, base: decoder.with(func(d *Description) { d.Activation, d.Experts = "clamped", experts("chosen", false) })},
	"deepseek2": {types: []string{"deepseek_v2", "deepseek_v3", "glm4_moe_lite"}, pairs: true, turnPairs: true,
		base: decoder.with(func(d *Description) { d.Latent, d.Experts = new(Latent), experts("softmax", false) })},
	"glm4moe": {types: []string{"glm4_moe"}, base: decoder.with(func(d *Description) { d.Experts = experts("sigmoid", true) })},
	"dots1":   {windowsFrom: true, types: []string{"dots1"}, base: decoder.with(func(d *Description) { d.Experts = experts("sigmoid", false) })},
	"olmoe":   {types: []string{"olmoe"}, base: decoder.with(func(d *Description) { d.HeadNormWhole, d.Experts = true, experts("softmax", false) })},
	"granitemoe": {divided: true, types: []string{"granitemoe", "granitemoeshared"}, pairs: true,
		base: decoder.with(func(d *Description) { d.Experts = experts("chosen", false) })},
	"ernie4_5-moe": {types: []string{"ernie4_5_moe"}, base: moe, pairs: true, turnPairs: true},
	"exaone-moe": {types: []string{"exaone_moe"}, pattern: 4,
		base: decoder.with(func(d *Description) { d.RotaryWindows, d.Experts = true, experts("sigmoid", true) })},
	"hy_v3": {types: []string{"hy_v3"}, base: decoder.with(func(d *Description) { d.Experts = experts("sigmoid", true) })},
	"afmoe": {types: []string{"afmoe"}, Behind: true, sqrt: true, pattern: 4,
		base: decoder.with(func(d *Description) { d.RotaryWindows, d.Experts = true, experts("sigmoid", true) })},
	"mistral4": {types: []string{"mistral4"}, pairs: true, turnPairs: true,
		base: decoder.with(func(d *Description) {
			d.Latent, d.Experts, d.TemperatureAll = new(Latent), experts("softmax", true), true
		})},
	"cohere2moe": {types: []string{"cohere2_moe"}, pairs: true, turnPairs: true, pattern: 4,
		base: cohere.with(func(d *Description) {
			d.RotaryWindows, d.Experts = true, &Experts{Score: "sigmoid", SumScale: 0.5, TurnsDense: true}
		})},
	"bailingmoe":    {base: decoder.with(func(d *Description) { d.Experts = experts("softmax", false) }), pairs: true},
	"bailingmoe2":   {base: decoder.with(func(d *Description) { d.Experts = experts("sigmoid", false) })},
	"hunyuan-dense": {types: []string{"hunyuan_v1_dense"}, base: decoder.with(func(d *Description) { d.HeadNormTurned = true })},
	"apertus":       {types: []string{"apertus"}, base: decoder.with(func(d *Description) { d.Activation, d.Gated = "xielu", false })},
	"gpt2":          {types: []string{"gpt2"}, base: layered, Columns: true},
	"starcoder2":    {types: []string{"starcoder2"}, base: layered.with(func(d *Description) { d.Positions = "rotary" })},
	"olmo2":         {types: []string{"olmo2"}, Behind: true, base: decoder.with(func(d *Description) { d.HeadNormWhole = true })},
	"olmo3": {types: []string{"olmo3"}, Behind: true, pattern: 4, within: "olmo2", unscaled: true,
		base: decoder.with(func(d *Description) { d.HeadNormWhole = true })},
	"ernie4_5":    {types: []string{"ernie4_5"}, base: decoder, pairs: true, turnPairs: true},
	"seed_oss":    {types: []string{"seed_oss"}, base: decoder}, // GGUF calls its norms otherwise
	"glm4":        {types: []string{"glm", "glm4"}, base: decoder, pairs: true, turnPairs: true},
	"granite":     {divided: true, types: []string{"granite"}, base: decoder, pairs: true},
	"granite_swa": {divided: true, base: decoder, pairs: true},
	"arcee":       {types: []string{"arcee"}, base: decoder.with(func(d *Description) { d.Activation, d.Gated = "relu2", false }), pairs: true},
	"nemotron": {types: []string{"nemotron"}, UnitNorm: true,
		base: decoder.with(func(d *Description) { d.Norm, d.Activation, d.Gated = "layer", "relu2", false })},
	"stablelm":  {types: []string{"stablelm"}, base: decoder.with(func(d *Description) { d.Norm = "layer" })},
	"command-r": {types: []string{"cohere"}, base: cohere, pairs: true, turnPairs: true},
	"cohere2": {types: []string{"cohere2"}, pairs: true, turnPairs: true, pattern: 4,
		base: cohere.with(func(d *Description) { d.RotaryWindows = true })},
	"exaone4": {types: []string{"exaone4"}, Behind: true, pattern: 4,
		base: decoder.with(func(d *Description) { d.RotaryWindows = true })},
	"gptneox": {types: []string{"gpt_neox"}, Grouped: true,
		base: layered.with(func(d *Description) { d.Parallel, d.Positions, d.Activation = true, "rotary", "gelu" })},
	"falcon": {types: []string{"falcon"}, Grouped: true,
		base: layered.with(func(d *Description) { d.Parallel, d.Positions, d.Activation = true, "rotary", "gelu" })},
	"minimax-m2": {types: []string{"minimax_m2"}, base: decoder.with(func(d *Description) { d.HeadNormWhole, d.Experts = true, experts("sigmoid", true) })},
	"hunyuan-moe": {types: []string{"hunyuan_v1_moe"}, shared: true,
		base: decoder.with(func(d *Description) { d.HeadNormTurned, d.Experts = true, experts("softmax", true) })},
	"youtu": {types: []string{"youtu"}, folder: true, turnPairs: true, base: decoder.with(func(d *Description) { d.Latent = new(Latent) })},
	"flex-olmo": {types: []string{"flex_olmo"}, folder: true, Behind: true,
		base: decoder.with(func(d *Description) { d.HeadNormWhole, d.Experts = true, experts("softmax", false) })},
	"hyperclovax": {types: []string{"hyperclovax"}, folder: true, base: decoder},
	"persimmon": {types: []string{"persimmon"}, folder: true, Grouped: true,
		base: layered.with(func(d *Description) { d.Positions, d.Activation = "rotary", "relu2" })},
	"biogpt":     {types: []string{"biogpt"}, folder: true, sqrt: true, base: layered.with(func(d *Description) { d.Activation, d.FirstRow = "gelu", 2 })},
	"helium":     {types: []string{"helium"}, folder: true, base: decoder, turnPairs: true},
	"vaultgemma": {types: []string{"vaultgemma"}, folder: true, sqrt: true, UnitNorm: true, pattern: 2, base: gemma.with(func(d *Description) { d.ScoreCap, d.LogitCap = 50, 30 })},
	"solar-open": {types: []string{"solar_open"}, folder: true, base: decoder.with(func(d *Description) { d.Experts = experts("sigmoid", true) })},
	"jais2":      {types: []string{"jais2"}, base: decoder.with(func(d *Description) { d.Norm, d.Activation, d.Gated = "layer", "relu2", false })},
	"qwen2vl":    {types: []string{"qwen2_vl_text", "qwen2_vl", "qwen2_5_vl_text", "qwen2_5_vl"}, base: decoder, windowsFrom: true},
	"qwen3vl":    {types: []string{"qwen3_vl_text", "qwen3_vl"}, base: decoder},
	"qwen3vlmoe": {types: []string{"qwen3_vl_moe_text", "qwen3_vl_moe"}, base: moe},
	"granitehybrid": {divided: true, types: []string{"granitemoehybrid"}, pairs: true, turned: true,
		base: decoder.with(func(d *Description) {
			d.Positions, d.Experts, d.Recurrence = "none", experts("chosen", false), &Recurrence{Taps: 4, NormGroups: 1}
		})},
	"bamba": {types: []string{"bamba"}, folder: true, // GGUF calls such files granitehybrid
		base: decoder.with(func(d *Description) { d.Recurrence = &Recurrence{Taps: 4, NormGroups: 1} })},
	"nemotron_h":     {types: []string{"nemotron_h"}, base: nemotronH},
	"nemotron_h_moe": {base: nemotronH},
	"qwen3next":      {types: []string{"qwen3_next"}, UnitNorm: true, base: moe.with(func(d *Description) { d.Recurrence, d.Gate = deltaRule, true })},
	"qwen35": {types: []string{"qwen3_5_text", "qwen3_5"}, UnitNorm: true, tiled: true,
		base: decoder.with(func(d *Description) { d.Recurrence, d.Gate = deltaRule, true })},
	"qwen35moe": {types: []string{"qwen3_5_moe_text", "qwen3_5_moe"}, UnitNorm: true, tiled: true,
		base: moe.with(func(d *Description) { d.Recurrence, d.Gate = deltaRule, true })},
	"olmo": {types: []string{"olmo"}, pairs: true,
		base: decoder.with(func(d *Description) { d.Norm, d.Unweighted, d.Epsilon = "layer", true, 1e-5 })},
	"opt":       {types: []string{"opt"}, folder: true, base: layered.with(func(d *Description) { d.Activation, d.FirstRow = "relu", 2 })},
	"gptj":      {types: []string{"gptj"}, folder: true, turnPairs: true, base: layered.with(func(d *Description) { d.Parallel, d.Positions = true, "rotary" })},
	"gptneo":    {types: []string{"gpt_neo"}, folder: true, base: layered.with(func(d *Description) { d.AttentionScale = 1 })},
	"starcoder": {types: []string{"gpt_bigcode"}, base: layered},
	"bloom":     {types: []string{"bloom"}, Grouped: true, base: layered.with(func(d *Description) { d.Positions, d.SlopeBound = "slopes", 8 })},
	"mpt":       {types: []string{"mpt"}, base: layered.with(func(d *Description) { d.Positions, d.SlopeBound, d.Activation = "slopes", 8, "gelu" })},
	"lfm2":      {types: []string{"lfm2"}, base: decoder.with(func(d *Description) { d.Taps = 3 })},
	"lfm2moe":   {types: []string{"lfm2_moe"}, base: decoder.with(func(d *Description) { d.Taps, d.Experts = 3, experts("sigmoid", true) })},
	"gemma-embedding": {sqrt: true, UnitNorm: true, pattern: 6,
		base: gemma.with(func(d *Description) { d.Encoder, d.LocalRotary = true, &Rotary{Theta: 1e4} })},
	"modern-bert": {types: []string{"modernbert"}, base: layered.with(func(d *Description) {
		d.Encoder, d.Positions, d.Activation, d.Gated, d.FirstUnnormed, d.LocalRotary = true, "rotary", "gelu", true, true, &Rotary{Theta: 1e4}
	})},
	"internlm2": {base: decoder, pairs: true},
	"qwen":      {base: decoder, doubled: true},
	"baichuan":  {base: decoder, pairs: true, bySize: baichuan13B},
	"minicpm3":  {bySize: miniCPM, base: decoder.with(func(d *Description) { d.Latent, d.EmbeddingScale = new(Latent), 12 })},
	"minicpm":   {divided: true, bySize: miniCPM, base: decoder.with(func(d *Description) { d.EmbeddingScale = 12 }), pairs: true},
	"exaone":    {base: decoder},
	"xverse":    {base: decoder, pairs: true},
	"orion":     {base: decoder.with(func(d *Description) { d.Norm = "layer" })},
	"deepseek":  {base: decoder.with(func(d *Description) { d.Experts = experts("softmax", false) }), pairs: true},
	"bert":      {types: []string{"bert", "roberta", "xlm-roberta", "camembert", "electra", "ernie", "data2vec-text"}, base: encoder},
	"bert-prenorm": {types: []string{"roberta-prelayernorm", "xlm-roberta-xl", "megatron-bert"}, folder: true,
		base: encoder.with(func(d *Description) { d.After = false })},
	"distilbert": {types: []string{"distilbert"}, folder: true, base: encoder},
	"nomic-bert": {types: []string{"nomic_bert"}, base: encoder.with(func(d *Description) { d.Positions, d.Activation, d.Gated = "rotary", "silu", true })},
	"nomic-bert-moe": {base: encoder.with(func(d *Description) {
		d.Positions, d.Activation, d.Experts = "rotary", "gelu_tanh", experts("softmax", false)
	})},
	"jina-bert-v2": {base: encoder.with(func(d *Description) {
		d.Positions, d.SlopeBound, d.Gated, d.HeadNormWhole = "slopes", 8, true, true
	})},
	"jina-bert-v3": {types: []string{"jina_embeddings_v3"}, base: encoder.with(func(d *Description) { d.Positions, d.Activation = "rotary", "gelu_tanh" })},
	"neo-bert":     {base: decoder.with(func(d *Description) { d.Encoder = true }), pairs: true},
	"refact":       {base: decoder.with(func(d *Description) { d.Positions, d.SlopeBound = "slopes", 8 })},
	"codeshell":    {base: layered.with(func(d *Description) { d.Positions = "rotary" })},
	"jais": {bySize: func(d *Description) { d.AttentionScale = 1 / float64(d.HeadWidth) },
		base: layered.with(func(d *Description) { d.Positions, d.Activation, d.Gated = "slopes", "silu", true })},
	"plamo":          {base: decoder.with(func(d *Description) { d.Parallel = true })},
	"plamo3":         {base: decoder, pattern: 8, unscaled: true},
	"maincoder":      {pairs: true, base: decoder.with(func(d *Description) { d.HeadNormTurned = true })},
	"hunyuan_vl":     {base: decoder.with(func(d *Description) { d.HeadNormTurned = true })},
	"paddleocr":      {base: decoder},
	"pangu-embedded": {base: decoder},
	"plm":            {pairs: true, base: decoder.with(func(d *Description) { d.Latent, d.Activation, d.Gated = new(Latent), "relu2", false })},
	"spark2_5":       {pattern: 1, unscaled: true, base: gemma.with(func(d *Description) { d.HeadGate = true })},
	"mellum":         {types: []string{"mellum"}, base: moe, pattern: 4, unscaled: true},
	"maple": {base: moe.with(func(d *Description) {
		d.RotaryWindows, d.Experts = true, &Experts{Score: "softmax", Normalise: true, Bound: 7}
	})},
	"maion-coder": {base: moe.with(func(d *Description) { d.RotaryWindows = true })},
	"dbrx":        {base: moe.with(func(d *Description) { d.Norm, d.Epsilon = "layer", 1e-5 })},
	"arctic":      {pairs: true, base: decoder.with(func(d *Description) { d.Experts = &Experts{Score: "softmax", Normalise: true, DenseHybrid: true} })},
	"smallthinker": {pattern: 4, wholeFirst: true, base: decoder.with(func(d *Description) {
		d.Activation, d.RotaryWindows, d.Experts = "relu", true, &Experts{Score: "softmax", Normalise: true, RoutedBeforeAttention: true}
	})},
	"grok": {base: gemma.with(func(d *Description) { // what files of the first model leave out
		d.EmbeddingScale, d.LogitScale, d.AttentionScale, d.ScoreCap = 78.38367176906169, 1/math.Sqrt(3), 1/math.Sqrt(128), 30
		d.Experts = &Experts{Score: "softmax", Normalise: true, SumScale: math.Sqrt(0.5)}
	})},
	"eurobert":    {types: []string{"eurobert"}, base: decoder.with(func(d *Description) { d.Encoder = true })},
	"llama-embed": {base: decoder.with(func(d *Description) { d.Encoder = true }), pairs: true},
	"chatglm":     {base: decoder, pairs: true},
}

// Named returns the kind of models that GGUF has by a name; the kind of an unknown name has nothing.
func Named(name string) *Kind {
	k := kinds[name]
	return &k
}

// Recurs reports whether layers may keep a state.
func (k *Kind) Recurs() bool { return k.base.Recurrence != nil }

// architectureNames lists what GGUF files may be.
func architectureNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(kinds)), func(name string) bool {
		return kinds[name].within != "" || kinds[name].folder
	})
}

// ofType returns the architecture of a model_type in config.json.
func ofType(kind string) (string, Kind, bool) {
	for name, a := range kinds {
		if slices.Contains(a.types, kind) {
			return name, a, true
		}
	}
	return "", Kind{}, false
}

// modelTypes lists what config.json may say.
func modelTypes() []string {
	var list []string
	for _, a := range kinds {
		list = append(list, a.types...)
	}
	slices.Sort(list)
	return list
}

// windows returns which layers have a window, by the pattern of an architecture.
func (a *Kind) windows(layers int) []bool {
	if a.pattern == 0 {
		return nil
	}
	list := eachLayer(layers)
	for i := range list {
		if list[i] = (i+1)%a.pattern != 0; a.wholeFirst {
			list[i] = i%a.pattern != 0
		}
	}
	return list
}
