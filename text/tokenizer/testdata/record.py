# record.py > cases.json.gz: tokenizers of all shapes, trained by Hugging Face's tokenizers, with what that library makes of some lines.
import gzip, json, random, sys
from tokenizers import Tokenizer, models, normalizers as N, pre_tokenizers as P, processors as R, decoders as D, trainers as T, Regex, AddedToken
random.seed(5)
def rc(lo,hi): return chr(random.randint(lo,hi))
scripts=[(0x61,0x7a),(0x41,0x5a),(0xc0,0x17f),(0x370,0x3ff),(0x400,0x4ff),(0x5d0,0x5ea),(0x620,0x64a),(0x904,0x939),(0xe01,0xe3a),(0x1100,0x11ff),(0x3041,0x30ff),(0x4e00,0x4fff),(0xac00,0xad00),(0x1f600,0x1f64f),(0x300,0x36f),(0x2000,0x206f),(0xff00,0xff60),(0x1d400,0x1d4ff),(0x660,0x669),(0x2150,0x218f),(0xfb00,0xfb06),(0x1e00,0x1eff)]
words="the of and to in is that for it with as was on be by at from this have are not don't I'm we'll they've it's HELLO World tokenizer Über naïve café résumé straße İstanbul ΟΔΥΣΣΕΥΣ Привет мир 你好世界 こんにちは カタカナ 안녕하세요 مرحبا שלום नमस्ते สวัสดี 🎉 👨‍👩‍👧‍👦 🏳️‍🌈 🇩🇪🇫🇷 e\u0301 ﬁ ½ Ⅷ ① x² 1234567 3.14159 0x1F 100,000 foo_bar camelCase HTTPServer :-) ... -- \u2014 «quoted» “x” ‘y’ <s> </s> [MASK] <|endoftext|> <unk> \u200b \ufeff \u00a0 \u3000 \u2028 \x07 ﷺ ǅ ᾳ".split(" ")
code=["def f(x):\n    return x**2 + 1  # comment","for (int i = 0; i < n; ++i) { a[i] += b[i]; }","\tif err != nil {\n\t\treturn fmt.Errorf(\"%w\", err)\n\t}\r\n","<html><body class='x'>&nbsp;</body></html>","SELECT * FROM t WHERE a='b' AND c>=1.5e-3;","{\"key\": [1, 2.0, null], \"k2\": \"v\\n\"}","   leading and trailing   ","\n\n\nnewlines\n\n  mixed \t tabs\n","a"*70,"ab "*40,"!?.,;:"*5,"C:\\path\\to\\file.txt","https://example.com/a?b=c&d=%20#frag","1 22 333 4444 55555 666666"]
def line():
    k=random.random()
    if k<0.12: return random.choice(code)
    if k<0.5: return "".join(random.choice([" "," "," ","  ","","\n"]) + random.choice(words) for _ in range(random.randint(1,14)))
    if k<0.8:
        out=""
        for _ in range(random.randint(1,8)):
            lo,hi=random.choice(scripts)
            out+="".join(rc(lo,hi) for _ in range(random.randint(1,7)))+random.choice([" ","","\t","  ",". ","-"])
        return out
    return "".join(random.choice([rc(0x20,0x7e),rc(0x20,0x7e),rc(0xc0,0x17f),rc(0x400,0x44f),rc(0x4e00,0x4fff),rc(0x1f600,0x1f64f)," ","\n"]) for _ in range(random.randint(1,40)))
lines=[line() for _ in range(120)]
train=["the quick brown fox jumps over the lazy dog "*3]*20+code*3+[" ".join(random.choice(words) for _ in range(10)) for _ in range(200)]
sp=["<unk>","<s>","</s>","<pad>","[MASK]"]
GPT2=r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
L3=r"""(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
Q2=L3.replace(r"\p{N}{1,3}",r"\p{N}")
O2=r"""[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
BL=P.ByteLevel.alphabet()
def bpe(pre,norm=None,vocab=330,alphabet=(),**kw):
    t=Tokenizer(models.BPE(**kw)); 
    if norm: t.normalizer=norm
    if pre: t.pre_tokenizer=pre
    t.train_from_iterator(train,T.BpeTrainer(vocab_size=vocab,special_tokens=sp,initial_alphabet=list(alphabet),show_progress=False,limit_alphabet=120,**{k:kw[k] for k in ("continuing_subword_prefix","end_of_word_suffix") if k in kw}))
    return t
def bl(regex,norm=None,behavior="isolated",invert=False,extra=[],**kw):
    t=bpe(P.Sequence([P.Split(Regex(regex),behavior,invert)]+extra+[P.ByteLevel(add_prefix_space=False,use_regex=False)]),norm,alphabet=BL,**kw); t.decoder=D.ByteLevel(); return t
ut=[" ".join(random.choice(words) for _ in range(8)) for _ in range(60)]+[l for l in train if all(ord(c)<0x80 for c in l)]
def uni(pre,norm=None,**kw):
    t=Tokenizer(models.Unigram())
    if norm: t.normalizer=norm
    if pre: t.pre_tokenizer=pre
    t.train_from_iterator(ut,T.UnigramTrainer(vocab_size=420,special_tokens=sp,unk_token="<unk>",show_progress=False,**kw)); return t
def edit(t,f):
    j=json.loads(t.to_str()); f(j); return Tokenizer.from_str(json.dumps(j))
C={}
t=bpe(P.ByteLevel(add_prefix_space=False),alphabet=BL); t.decoder=D.ByteLevel(); t.post_processor=R.ByteLevel(trim_offsets=False); C["gpt2"]=t
t=bpe(P.ByteLevel(add_prefix_space=True),alphabet=BL); t.decoder=D.ByteLevel(); t.post_processor=R.RobertaProcessing(("</s>",2),("<s>",1)); t.add_tokens([AddedToken("[MASK]",lstrip=True,special=True)] if False else [AddedToken("tokenizer",lstrip=True),AddedToken("fox",rstrip=True,single_word=True),AddedToken("Hello",normalized=False)]); C["roberta"]=t
t=bl(L3,ignore_merges=True); t.post_processor=R.Sequence([R.ByteLevel(trim_offsets=False),R.TemplateProcessing(single="<s> $A",pair="<s> $A <s>:1 $B:1",special_tokens=[("<s>",1)])]); C["llama3"]=t
C["qwen2"]=bl(Q2,N.NFC()); C["gpt4o"]=bl(O2); C["qwen_nfkc"]=bl(Q2,N.NFKC())
for b in ["removed","isolated","merged_with_previous","merged_with_next","contiguous"]:
    C["split_"+b]=bl(r"\s+|\p{P}",behavior=b); C["splitinv_"+b]=bl(r"\w+",behavior=b,invert=True)
t=bl(r"\p{N}{1,3}",extra=[P.Split(Regex(r"[一-龥぀-ゟ゠-ヿ]+"),"isolated"),P.Split(Regex(r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""),"isolated")]); C["deepseek3"]=t
C["superbpe"]=bl(r"\p{N}+",extra=[P.Split(Regex(r"(?=(\d{3})+(?!\d))"),"isolated")])
C["possessive"]=bl(r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+""")
C["digits"]=bl(r"\s",extra=[P.Digits(individual_digits=True)]); C["digits_all"]=bl(r" ",extra=[P.Digits(individual_digits=False),P.Punctuation("contiguous")])
# llama style bpe with byte fallback
def llama(pre,norm):
    base=bpe(pre,norm)
    def f(j):
        m=j["model"]; m["byte_fallback"]=True; m["fuse_unk"]=True; m["unk_token"]="<unk>"
        n=max(m["vocab"].values())+1
        for b in range(256):
            m["vocab"]["<0x%02X>"%b]=n+b
    return edit(base,f)
t=llama(None,N.Sequence([N.Prepend("▁"),N.Replace(" ","▁")])); t.decoder=D.Sequence([D.Replace("▁"," "),D.ByteFallback(),D.Fuse(),D.Strip(" ",1,0)]); t.post_processor=R.TemplateProcessing(single="<s> $A",pair="<s> $A <s> $B",special_tokens=[("<s>",1)]); C["llama2"]=t
t=llama(P.Metaspace(prepend_scheme="first",split=False),None); t.decoder=D.Sequence([D.Replace("▁"," "),D.ByteFallback(),D.Fuse(),D.Strip(" ",1,0)]); C["mistral"]=t
t=llama(P.Split(" ","merged_with_previous"),N.Replace(" ","▁")); t.decoder=D.Sequence([D.Replace("▁"," "),D.ByteFallback(),D.Fuse()]); C["gemma"]=t
t=bpe(P.Sequence([P.WhitespaceSplit(),P.Punctuation()]),N.Lowercase(),end_of_word_suffix="</w>",unk_token="<unk>"); t.decoder=D.BPEDecoder("</w>"); C["clip"]=t
t=bpe(P.Whitespace(),N.Sequence([N.NFD(),N.StripAccents()]),continuing_subword_prefix="##",unk_token="<unk>",fuse_unk=True); t.decoder=D.WordPiece(prefix="##"); C["bpe_prefix"]=t
for s in ["always","first","never"]:
    for sp_ in [True,False]:
        t=uni(P.Metaspace(prepend_scheme=s,split=sp_),N.Sequence([N.Nmt(),N.NFKC(),N.Replace(Regex(" {2,}")," ")])); t.decoder=D.Metaspace(prepend_scheme=s,split=sp_); t.post_processor=R.TemplateProcessing(single="$A </s>",pair="$A </s> $B </s>",special_tokens=[("</s>",2)]); C["uni_%s_%s"%(s,sp_)]=t
def bf(j):
    m=j["model"]; m["byte_fallback"]=True
    for b in range(256): m["vocab"].append(["<0x%02X>"%b,-30.0])
t=edit(uni(P.Sequence([P.WhitespaceSplit(),P.Metaspace()]),N.Sequence([N.Strip(),N.Lowercase()])),bf); t.decoder=D.Sequence([D.ByteFallback(),D.Metaspace()]); C["uni_bytes"]=t
def wp(norm,pre):
    t=Tokenizer(models.WordPiece(unk_token="[UNK]")); t.normalizer=norm; t.pre_tokenizer=pre
    t.train_from_iterator(train,T.WordPieceTrainer(vocab_size=420,special_tokens=["[PAD]","[UNK]","[CLS]","[SEP]","[MASK]"],show_progress=False)); t.decoder=D.WordPiece(); return t
t=wp(N.BertNormalizer(),P.BertPreTokenizer()); t.post_processor=R.BertProcessing(("[SEP]",3),("[CLS]",2)); C["bert"]=t
t=wp(N.BertNormalizer(lowercase=False),P.BertPreTokenizer()); t.post_processor=R.TemplateProcessing(single="[CLS] $A [SEP]",pair="[CLS] $A [SEP] $B:1 [SEP]:1",special_tokens=[("[CLS]",2),("[SEP]",3)]); t.enable_truncation(24); t.enable_padding(length=24,pad_id=0); C["bert_cased"]=t
t=wp(N.BertNormalizer(strip_accents=True,lowercase=False,handle_chinese_chars=False,clean_text=False),P.Sequence([P.BertPreTokenizer(),P.Digits(True)])); t.enable_truncation(10,strategy="longest_first",direction="left"); t.enable_padding(direction="left",pad_to_multiple_of=8); C["bert_left"]=t
t=Tokenizer(models.WordLevel(unk_token="<unk>")); t.pre_tokenizer=P.Sequence([P.CharDelimiterSplit(" "),P.Punctuation("removed")]); t.train_from_iterator(train,T.WordLevelTrainer(vocab_size=300,special_tokens=sp,show_progress=False)); C["wordlevel"]=t
t=Tokenizer(models.WordLevel(unk_token="<unk>")); t.pre_tokenizer=P.UnicodeScripts(); t.normalizer=N.NFKD(); t.train_from_iterator(train,T.WordLevelTrainer(vocab_size=300,special_tokens=sp,show_progress=False)); C["scripts"]=t
t=Tokenizer(models.WordLevel(unk_token="<unk>")); t.pre_tokenizer=P.Sequence([P.UnicodeScripts(),P.Whitespace(),P.FixedLength(3)] if hasattr(P,"FixedLength") else [P.UnicodeScripts(),P.Whitespace()]); t.train_from_iterator(train,T.WordLevelTrainer(vocab_size=300,special_tokens=sp,show_progress=False)); t.decoder=D.CTC(pad_token="<pad>",word_delimiter_token="|"); C["fixed"]=t
t=bpe(None,N.ByteLevel(),alphabet=BL); t.decoder=D.ByteLevel(); C["norm_bytelevel"]=t
# added tokens that take spaces which are tokens as well, and those that the normalizer writes in another way
t=wp(N.Sequence([N.NFD(),N.StripAccents(),N.Lowercase()]),P.Sequence([P.Split(Regex(r"[[:punct:]]|[^\w\s]"),"isolated"),P.Split(Regex(r"[[:word:]]+"),"contiguous")]))
t.add_tokens([AddedToken(" ",rstrip=True,normalized=False),AddedToken("Hello",normalized=True)]); t.add_special_tokens([AddedToken("naïve",normalized=True,rstrip=True)])
t.post_processor=R.Sequence([R.TemplateProcessing(single="[CLS] $A [SEP]",pair="[CLS] $A $B",special_tokens=[("[CLS]",2),("[SEP]",3)]),R.BertProcessing(("[SEP]",3),("[CLS]",2))]); C["added"]=t
t=uni(P.Metaspace(prepend_scheme="first",split=False),N.Sequence([N.Strip(),N.NFD(),N.StripAccents(),N.Replace(Regex(r"^\p{P}+"),"")])); t.decoder=D.Metaspace(prepend_scheme="first",split=False); C["uni_cut"]=t
# templates that change the order of texts, without special tokens as well; processors one after another in front of a cut
t=bl(L3); t.post_processor=R.TemplateProcessing(single="$A <s> $A",pair="$B </s> $A",special_tokens=[("<s>",1),("</s>",2)]); C["template_twice"]=t
for k,d in [("cut_right","right"),("cut_left","left")]:
    t=wp(N.Lowercase(),P.BertPreTokenizer()); t.post_processor=R.Sequence([R.TemplateProcessing(single="[CLS] $A",pair="$A [CLS] $B",special_tokens=[("[CLS]",2)]),R.BertProcessing(("[SEP]",3),("[CLS]",2))]); t.enable_truncation(12,direction=d); C[k]=t
# some bytes have no token: an unknown character comes behind the bytes that follow
def holes(j):
    for b in range(0,256,3): j["model"]["vocab"].pop("<0x%02X>"%b,None)
t=edit(llama(None,N.Replace(" ","▁")),holes); t.decoder=D.Sequence([D.ByteFallback(),D.Fuse()]); C["byte_holes"]=t
C["comment"]=bl("(?x) [a-z]+ # letters\n | \\d{2}  # two digits")
# patterns with references, a match that begins later than it is looked for, and characters with their marks
C["again"]=bl(r"(.)\1|(?i:(the|a) \2)"); C["named"]=bl(r"(?<x>\p{L}|(?:\d))\k<x>"); C["keep"]=bl(r"a\Kb|\G\w|\O"); C["clusters"]=bl(r"\X{2}|\N$")
# numbers of added tokens that are not those of the model, in a vocabulary with holes; tokens of Unigram that are there twice
def numbers(j):
    m=j["model"]; last=max(m["vocab"],key=m["vocab"].get); n=m["vocab"].pop(last); m["merges"]=[x for x in m["merges"] if "".join(x)!=last and last not in x]; m["vocab"]["<last>"]=n+40
    for i,a in enumerate(["the","fox","<new>","Hello","<new>"]): j["added_tokens"].append(dict(id=900+3*i,content=a,single_word=i==4,lstrip=False,rstrip=i==2,normalized=False,special=i==0))
C["numbers"]=edit(bl(L3),numbers)
def doubles(j):
    for s in ["\u2581the","e","\u2581[MASK]","[MASK]"]: j["model"]["vocab"].append([s,-3.5])
C["doubles"]=edit(uni(P.Metaspace()),doubles)
# characters that are newer than tokenizers' tables
t=wp(N.Sequence([N.BertNormalizer(),N.NFKC(),N.StripAccents()]),P.Sequence([P.UnicodeScripts(),P.Punctuation()])); C["newer"]=t
# the first piece of a text is made of the first character: of a ligature, of a character with spaces around, of the last one of those replaced
t=llama(P.Sequence([P.FixedLength(2),P.Metaspace(prepend_scheme="first")]),N.Sequence([N.Replace("  ","oo"),N.NFKD(),N.BertNormalizer(clean_text=False,lowercase=False)])); t.decoder=D.Metaspace(prepend_scheme="first"); C["first_made"]=t
t=llama(P.Sequence([P.ByteLevel(add_prefix_space=True),P.Metaspace(prepend_scheme="first")]),N.Sequence([N.Prepend("<<"),N.Replace(Regex("\\p{P}+"),"ab"),N.Strip()])); t.decoder=D.Metaspace(prepend_scheme="first"); C["first_prepended"]=t
C["line_ends"]=bl("$",behavior="contiguous",invert=True)
lines+=["\ufb01 x","\u4e2d a","  the fox","\u00bd x","\n\n x"]
lines+=["a\u32ff b\u2e5c c\u07fd\u0316 \ua7f2 \u1ac1\u0316","\u166d\u061d \u08e2x\ua7c0 \U0001fbf3 caf\u00e9\U00011c3e","the fox [MASK] the<new>  <new>x aa bb ab The the"]
out={}
for k,t in C.items():
    t=Tokenizer.from_str(t.to_str()) # scores of a file are not read to the last bit
    e=[t.encode(l).ids for l in lines]; plain=[t.encode(l,add_special_tokens=False).ids for l in lines]
    out[k]={"tokenizer":json.loads(t.to_str()),"special":e,"plain":plain,"pair":[t.encode(lines[i],lines[i+1]).ids for i in range(40)],
        "text":[t.decode(p) for p in plain],"whole":[t.decode(p,skip_special_tokens=False) for p in plain[:40]]}
sys.stdout.buffer.write(gzip.compress(json.dumps({"lines":lines,"cases":out},ensure_ascii=False,separators=(",",":")).encode("utf-8"),9,mtime=0))
