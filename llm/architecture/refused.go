package architecture

import (
	"fmt"
	"slices"
	"strings"
)

// refused are architectures that people ask for and that no [Description] describes, with what their networks have
// beside attention and products. The names are names of GGUF and of config.json.
var refused = []struct {
	names []string
	why   string
}{
	{[]string{"gemma3n", "gemma3n_text"}, "layers predict and correct several rows of each token"},
	{[]string{"mamba", "falcon_mamba", "jamba", "plamo2"}, "layers have the selective scan of Mamba-1"},
	{[]string{"mamba2"}, "no layer has attention"},
	{[]string{"falcon-h1", "falcon_h1", "zamba2"}, "attention and Mamba-2 are in one layer"},
	{[]string{"rwkv", "rwkv6", "rwkv7", "arwkv7", "rwkv6qwen2"}, "layers have the recurrence of RWKV"},
	{[]string{"kimi-linear", "kimi-k3", "bailingmoe3", "minimax", "minimax-01"}, "layers have linear attention of another kind than the gated delta rule"},
	{[]string{"t5", "t5encoder", "t5gemma", "bart", "mt5", "marian", "pegasus", "whisper"}, "a decoder reads what an encoder has made"},
	{[]string{"deci", "openelm"}, "layers differ in their widths or heads"},
	{[]string{"phimoe"}, "experts are chosen by SparseMixer"},
	{[]string{"mpnet", "deberta", "deberta-v2"}, "positions are learned for distances of tokens"},
	{[]string{"llada", "llada-moe", "dream", "rnd1"}, "answers are made by diffusion and not token by token"},
	{[]string{"deepseek32", "deepseek_v32", "glm-dsa", "glm_moe_dsa", "dots3note"}, "attention chooses the tokens that it reads"},
	{[]string{"deepseek4", "deepseek_v4"}, "attention reads keys that are made of several tokens each"},
	{[]string{"minimax-m3", "minimax_m3"}, "attention reads blocks of tokens that an indexer chooses"},
	{[]string{"step35", "step3p5", "mimo2", "mimo_v2_flash", "laguna"}, "layers with a window have heads of another number than the other layers"},
	{[]string{"glm5-next", "hy_v4", "qwen4exp"}, "several rows of each token are joined between layers"},
	{[]string{"talkie"}, "each layer adds the embeddings again"},
	{[]string{"nanbeige"}, "layers run several times"},
	{[]string{"grovemoe"}, "experts have smaller experts beside them that several of these share"},
	{[]string{"k2-horizon"}, "values are made by experts"},
	{[]string{"muse-glimmer"}, "norms add different numbers to what they divide by"},
	{[]string{"chameleon", "cogvlm", "deepseek2-ocr"}, "the model is one for pictures, of which the text alone is not read"},
	{[]string{"clef", "vllm-decision2"}, "the model scores decisions and writes no text"},
	{[]string{"eagle3", "dflash", "gemma4-assistant"}, "the model guesses tokens from rows of another model; LoadOptions.Draft wants a smaller model"},
	{[]string{"clip", "wavtokenizer-dec", "pockettts", "qwen3tts"}, "the model reads pictures or writes sounds"},
	{[]string{"albert"}, "all layers have one layer's weights, and embeddings are narrower than the network"},
	{[]string{"aria_text"}, "the weights of experts are for products of groups"},
	{[]string{"codegen"}, "queries, values and keys lie in four groups of one matrix"},
	{[]string{"diffllama"}, "attention takes one distribution from another"},
	{[]string{"gpt_neox_japanese"}, "the last layer alone has a bias of attention"},
	{[]string{"longcat_flash"}, "layers have two attentions, and experts that change nothing"},
	{[]string{"modernbert-decoder"}, "a layer stands between the last norm and the head"},
	{[]string{"nanochat"}, "embeddings are normed without weights"},
	{[]string{"olmo_hybrid"}, "layers with a state have convolutions of keys, queries and values apart"},
	{[]string{"openai-gpt"}, "norms of a decoder stand behind the sums"},
	{[]string{"recurrent_gemma"}, "layers have the recurrence of Griffin"},
	{[]string{"xglm"}, "positions are added as sines and cosines"},
	{[]string{"bitnet"}, "weights of three values are for rows that are rounded as in the training"},
}

// unknown says that a kind of models is not known: why, where that is known, and which ones there are.
func unknown(what, name string, known []string) error {
	for _, r := range refused {
		if slices.Contains(r.names, name) {
			return fmt.Errorf("%s %q is not supported: %s; supported are %s", what, name, r.why, strings.Join(known, ", "))
		}
	}
	return fmt.Errorf("%s %q is not known; there are %s", what, name, strings.Join(known, ", "))
}
