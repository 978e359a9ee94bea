package tokenizer

import "strings"

// preTokenizer says how files of GGUF divide texts into words, by the name in tokenizer.ggml.pre.
type preTokenizer struct {
	patterns []string  // work one after another
	whole    bool      // a word that is a token is not merged
	begins   bool      // a text begins with a token
	written  spaceForm // how the tokens of the file write a text
}

// spaceForm is how tokens write what texts are made of.
type spaceForm uint8

const (
	asBytes      spaceForm = iota // a character for each byte
	asMarks                       // characters, a mark for each space, and names of bytes
	asWords                       // as asMarks, and each word has a mark in front
	asCharacters                  // characters, and spaces have no tokens
)

// The patterns give the words of llama.cpp, which has other words than the tokenizer.json of the models for these
// kinds:
//   - gpt-4o, tekken and granite-embed-multi-97m: letters outside ASCII have no case; accents are no part of words, but for the last;
//   - kimi-k2, tiny_aya, cohere2moe, youtu: letters have no case; accents are no part of words with kimi-k2;
//   - superbpe: only digits of ASCII are digits;
//   - deepseek-llm, deepseek-coder: no range of characters holds spaces;
//   - afmoe, tiny_aya, cohere2moe: any number is a digit, and what stands in front of a number is no word of its own.
const (
	gpt2Words       = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	endOfWords      = `| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	llama3Words     = contraction + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}` + endOfWords
	qwen2Words      = contraction + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}` + endOfWords
	qwen35Words     = contraction + `|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	slashes         = `| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	contraction     = `(?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])`
	bloomWords      = ` ?[^(\s|.,!?…。，、।۔،)]+`
	deepseekEnd     = `| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	deepseek3       = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+" + deepseekEnd
	han             = `一-鿿㐀-䶿\x{20000}-\x{2a6df}\x{2a700}-\x{2ebef}\x{f900}-\x{faff}\x{2f800}-\x{2fa1f}`
	cjk             = `[一-龥぀-ゟ゠-ヿ]+`
	wordlessScripts = `[一-鿿㐀-䶿豈-﫿぀-ゟ゠-ヿ･-ﾟ⼀-⿟เ-๿຀-໿ក-៿က-႟ꩠ-ꩿꧠ-꧿가-힯ᄀ-ᇿ]+`
)

// cased matches a word of letters: capitals may begin it, and end ends it. Letters outside ASCII are both capital and
// small.
func cased(letters, end string) string {
	upper, lower := `[`+letters+`&&[^a-z]]`, `[`+letters+`&&[^A-Z]]`
	return before + upper + `*` + lower + `+` + end + `|` + before + upper + `+` + lower + `*` + end
}

const (
	before = `[^\r\n\p{L}\p{N}]?` // a word of letters takes one character in front

	// digits matches three digits, counted from the end of a number, and what is left at its beginning with the text in front of the number.
	digits = `\G\P{N}*+\p{N}{1,3}(?=(?:\p{N}{3})*+(?!\p{N}))`
)

// preTokenizers are the kinds by name.
var preTokenizers = func() map[string]preTokenizer {
	list := map[string]preTokenizer{}
	add := func(k preTokenizer, names ...string) {
		for _, n := range names {
			list[n] = k
		}
	}
	add(preTokenizer{patterns: []string{`[\p{P}$+<=>^~|]+`, gpt2Words, `\p{N}+`, `[0-9][0-9][0-9]`}}, "default", "")
	add(preTokenizer{patterns: []string{gpt2Words}}, "gpt-2", "phi-2", "jina-es", "jina-de", "gigachat", "jina-v2-es", "jina-v2-de", "a.x-4.0", "mellum",
		"modern-bert", "jina-v1-en", "jina-v2-code", "roberta-bpe", "mpt", "olmo", "jais", "trillion", "granite-docling", "exaone4")
	add(preTokenizer{patterns: []string{llama3Words}, whole: true, begins: true}, "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral",
		"midm-2.0", "lfm2", "jina-v5-nano")
	add(preTokenizer{patterns: []string{llama3Words}}, "dbrx", "smaug-bpe", "glm4", "glm5", "chatglm-bpe")
	add(preTokenizer{patterns: []string{qwen2Words}}, "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "stablelm2", "hunyuan", "megrez", "solar-open", "grok-2")
	add(preTokenizer{patterns: []string{`[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}` + endOfWords}}, "ufakzeka") // suffixes of Turkish stay with an apostrophe
	add(preTokenizer{patterns: []string{qwen35Words}}, "qwen35")
	add(preTokenizer{patterns: []string{`\p{N}`, gpt2Words}}, "starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2")
	add(preTokenizer{patterns: []string{"[\\p{P}$+<=>^~|`]+", gpt2Words, `[0-9][0-9][0-9]`}}, "falcon")
	add(preTokenizer{patterns: []string{cased(`\p{L}`, ``) + `|\p{N}` + slashes}, whole: true, begins: true}, "tekken")
	add(preTokenizer{patterns: []string{cased(`\p{L}`, contraction+`?`) + `|\p{N}{1,3}` + slashes}}, "gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2")
	add(preTokenizer{patterns: []string{cased(`\p{L}\p{M}`, contraction+`?`) + `|\p{N}{1,3}` + slashes}, whole: true}, "granite-embed-multi-97m")
	add(preTokenizer{patterns: []string{`[` + han + `]+|` + before + `[\p{L}&&[^` + han + `]]+` + contraction + `?|\p{N}{1,3}` + endOfWords}}, "kimi-k2")
	add(preTokenizer{patterns: []string{digits, before + `[\p{L}\p{M}]+` + contraction + `?|\p{N}{1,3}` + slashes}}, "tiny_aya", "cohere2moe")
	add(preTokenizer{patterns: []string{bloomWords}}, "bloom", "poro-chat", "gpt3-finnish")
	add(preTokenizer{patterns: []string{bloomWords, `\p{N}`}}, "viking")
	add(preTokenizer{patterns: []string{`\p{N}{1,3}`, cjk, deepseek3}}, "deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4")
	add(preTokenizer{patterns: []string{`[\r\n]`, `\s?\p{L}+`, `\s?\p{P}+`, `[一-龥ࠀ-一가-퟿&&[^\s]]+`, `\p{N}`}}, "deepseek-coder")
	add(preTokenizer{patterns: []string{contraction + `|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`}},
		"bailingmoe", "bailingmoe2", "llada-moe")
	add(preTokenizer{patterns: []string{contraction + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`}}, "seed-coder")
	add(preTokenizer{patterns: []string{`\p{N}+`, `(?=([0-9]{3})+(?![0-9]))`}}, "superbpe")
	add(preTokenizer{patterns: []string{`[\r\n]`, `\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-\x{1F7D}ᾀ-ᾴᾶ-ᾼ\x{1FBE}ῂ-ῄῆ-ῌῐ-\x{1FD3}ῖ-\x{1FDB}ῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\x{2126}ℨ\x{212A}-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+`,
		`\s?[!-/:-~！-／：-～‘-‟、。]+`, `\s+$`, `[一-龥ࠀ-一가-퟿&&[^\s]]+`, `\p{N}+`}}, "deepseek-llm")
	add(preTokenizer{patterns: []string{`[^\n]+|[\n]+`, qwen2Words}}, "laguna")
	add(preTokenizer{patterns: []string{`\p{N}{1,3}`, llama3Words}, whole: true}, "minicpm5")
	add(preTokenizer{patterns: []string{contraction + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S)|` +
		`\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1}`}}, "jais-2")
	add(preTokenizer{patterns: []string{contraction + `|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|` +
		`\s*[\r\n]|\s+(?!\S)|\s+`}}, "exaone-moe")
	add(preTokenizer{patterns: []string{`[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|` + cjk, before + `[\p{L}\p{M}]+` + contraction + `?|\p{N}` + slashes}, whole: true}, "youtu")
	add(preTokenizer{patterns: []string{digits, wordlessScripts, deepseek3}}, "afmoe")
	add(preTokenizer{patterns: []string{`\p{N}{1,3}`, cjk, strings.Replace(deepseek3, `[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+`, `[\p{P}\p{S}]+|[\r\n]`, 1), `\p{N}`}},
		"spark2_5")
	add(preTokenizer{patterns: []string{`<sentinel:[0-9]+>`, `(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z`, `([\t\n]|    |  )`, `\p{N}`, "[\\p{P}!-/:-@\\[-`{-~]", gpt2Words},
		begins: true}, "chameleon")
	add(preTokenizer{patterns: []string{`[^\n]+|[\n]+`}, written: asMarks, begins: true}, "gemma4", "granite-embed-multi-311m")
	add(preTokenizer{patterns: []string{`[^\n]+|[\n]+`}, written: asMarks}, "sarvam-moe")
	add(preTokenizer{patterns: []string{`[^\n]+|[\n]+`}, written: asWords}, "mmbert")
	add(preTokenizer{patterns: []string{`\S+`}, written: asCharacters}, "whitespace")
	return list
}()
