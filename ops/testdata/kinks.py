"""Records what PyTorch 2.14 gives at ties, corners and ends of ranges: results and gradients of float64, as JSON.

    python3 ops/testdata/kinks.py > ops/testdata/kinks.json
"""
import json
import sys

import torch
T=lambda *v: torch.tensor(v,dtype=torch.float64)
inf=float('inf'); nan=float('nan')
A=torch.ops.aten
cases=[]
def case(op,*args,overload='default',second=False,**named):
    ts=[a.clone().requires_grad_() if isinstance(a,torch.Tensor) and a.is_floating_point() or isinstance(a,torch.Tensor) and a.is_complex() else a for a in args]
    try:
        out=getattr(getattr(A,op),overload)(*ts,**named)
        if isinstance(out,(tuple,list)): out=out[0]
        leaves=[t for t in ts if isinstance(t,torch.Tensor) and t.requires_grad]
        g=torch.autograd.grad(out,leaves,torch.ones_like(out)*1.0,allow_unused=True,create_graph=second)
        twice=None
        if second:
            through=[x for x in g if x is not None and x.requires_grad]
            twice=torch.autograd.grad(through,leaves,[torch.ones_like(x) for x in through],allow_unused=True)
    except Exception as e:
        print('#',op,file=sys.stderr) or print(op,overload,str(e)[:100],file=sys.stderr); return
    def enc(t):
        if t is None: return None
        if t.is_complex(): t=torch.view_as_real(t.resolve_conj()).reshape(-1)
        return [str(float(v)) for v in t.reshape(-1).detach()]
    def arg(a):
        if isinstance(a,torch.Tensor): return {"t":enc(a),"shape":list(a.shape),"c":a.is_complex(),"d":str(a.dtype)}
        if isinstance(a,float): return {"f":str(a)}
        return a
    cases.append({"op":op+('' if overload=='default' else '.'+overload),"args":[arg(a) for a in (*args,*named.values())],"out":enc(out),"grads":[enc(x) for x in g],**({"second":[enc(x) for x in twice]} if second else {})})
x3=T(-3,-2.5,0,2.5,3,-0.0,6,1,-1,0.5,-0.5)
for op in "relu relu6 hardswish hardsigmoid hardtanh leaky_relu softshrink hardshrink elu celu selu abs sign sgn sqrt log_sigmoid silu mish gelu round floor ceil trunc frac sinc".split():
    case(op,x3.clone())
case('hardtanh',x3,-3.0,3.0); case('hardtanh',x3,-0.5,0.5); case('clamp',x3,-3,3); case('clamp',x3,-0.5,None); case('clamp',x3,None,0.5); case('clamp',T(1,2,nan),2,1)
case('clamp',T(1.,2,3),T(1.,2,2),T(2.,2,3),overload='Tensor'); case('clamp',T(1.,2,3),T(3.,2,2),T(2.,2,1),overload='Tensor')
case('clamp_min',T(1.,2,3,nan),2); case('clamp_max',T(1.,2,3,nan),2)
case('clamp_min',T(1.,2,3),T(2.,2,2),overload='Tensor'); case('clamp_max',T(1.,2,3),T(2.,2,2),overload='Tensor')
for op in ('maximum','minimum','fmax','fmin'):
    case(op,T(1,2,3,nan,1,nan,0.,-0.),T(2,2,2,1,nan,nan,-0.,0.))
case('max',T(1,3,3,2)); case('min',T(1,1,3,2)); case('amax',T(1,3,3,2)); case('amin',T(1,1,3,2))
for op in ('max','min','amax','amin','median','nanmedian'):
    case(op,T(1,nan,nan,2))
case('amax',T(1,nan,3,2,2,1).reshape(2,3),[1]); case('amin',T(1,nan,3,2,2,1).reshape(2,3),[0]); case('aminmax',T(1,nan,3)); case('amax',T(nan),[]) 
case('max_pool1d',T(1,nan,nan,nan).reshape(1,1,4),[2]); case('max_pool2d',T(1,nan,nan,1).reshape(1,1,2,2),[2,2]); case('adaptive_max_pool1d',T(1,nan,nan,1).reshape(1,1,4),[1])
case('max',T(1,3,3,2),0,overload='dim'); case('min',T(1,1,3,2),0,overload='dim')
case('median',T(1,3,3,2,2)); case('nanmedian',T(1,3,3,2,nan)); case('median',T(1,3,3,2,2),0,overload='dim')
case('mode',T(1,3,3,2,2),0); case('kthvalue',T(1,3,3,2,2),2,0)
case('cummax',T(1,3,3,2,3),0); case('cummin',T(3,1,1,2,1),0)
case('logcumsumexp',T(-inf,-inf,1,2),0); case('logsumexp',T(-inf,-inf),[0]); case('logsumexp',T(-inf,1.),[0]); case('logsumexp',T(inf,1.),[0])
case('threshold',x3,0.5,7.0); case('prelu',x3,T(0.25)); 
case('hardtanh',x3,0.0,6.0); case('softplus',T(20.,10,-20,0),1,20); case('softplus',T(5.,10,20),2,20)
case('smooth_l1_loss',T(1,0,-1,2.),T(0,0,0,0),0,1.0); case('huber_loss',T(1,0,-1,2.),T(0,0,0,0),0,1.0); case('l1_loss',T(1,0,-1,2.),T(0,0,0,0),0) if hasattr(A,'l1_loss') else None
case('smooth_l1_loss',T(1,0,-1,2.),T(0,0,0,0),0,0.0)
case('hinge_embedding_loss',T(1,0,2.,1),T(1,1,-1,-1),1.0,0); case('margin_ranking_loss',T(1,0,2.),T(1,1,1.),T(1,-1,1),0.0,0); 
case('multi_margin_loss',T(1,0,.5).reshape(1,3),torch.tensor([0]),1,1.0,None,0)
case('cosine_embedding_loss',T(1,0).reshape(1,2),T(1,0).reshape(1,2),T(-1),1.0,0)
case('triplet_margin_loss',T(1,0).reshape(1,2),T(1,0).reshape(1,2),T(1,1).reshape(1,2),1.0,2.0,1e-6,False,0)
case('norm',T(0,0),2,overload='Scalar'); case('linalg_vector_norm',T(0,0,1),1); case('linalg_vector_norm',T(0,0),2); case('linalg_vector_norm',T(1,-1,.5),inf); case('linalg_vector_norm',T(1,-1,1),-inf); case('linalg_vector_norm',T(0,0),1.5);case('linalg_vector_norm',T(0,1),0.5); case('linalg_vector_norm',T(0,1),0); case('linalg_vector_norm',T(0,0),3);case('linalg_vector_norm',T(0,0),inf)
case('dist',T(1,1),T(1,1),2); case('cdist',T(1,1).reshape(1,2),T(1,1).reshape(1,2),2.0,None); case('cdist',T(1,1).reshape(1,2),T(1,2).reshape(1,2),1.0,None);case('cdist',T(1,1).reshape(1,2),T(2,2).reshape(1,2),inf,None); case('pdist',T(1,1,1,1).reshape(2,2),2.0)
case('pow',T(0,0,0,-1,2,0),2,overload='Tensor_Scalar'); case('pow',T(0,0,-1),0.5,overload='Tensor_Scalar'); case('pow',T(0,1),0,overload='Tensor_Scalar'); case('pow',T(0,0,0,0,2),T(0,1,2,-1,0),overload='Tensor_Tensor'); case('pow',0,T(0,1,2,-1),overload='Scalar'); case('pow',T(0.),0.5,overload='Tensor_Scalar'); case('pow',T(0.,-0.),1,overload='Tensor_Scalar'); case('pow',T(0.,2),-1,overload='Tensor_Scalar')
case('xlogy',T(0,0,1),T(0,1,0),overload='Tensor'); case('special_xlog1py',T(0,0,1),T(-1,1,-1)); case('special_entr',T(0,1,-1)); case('hypot',T(0,3),T(0,4)); case('atan2',T(0,0,1),T(0,-1,0)); case('prod',T(0,2,3)); case('prod',T(0,0,3)); case('prod',T(0,2,3),0,overload='dim_int'); case('cumprod',T(0,2,3,0),0); case('logaddexp',T(-inf,1,inf),T(-inf,1,inf)); case('logaddexp2',T(-inf,1),T(-inf,1))
case('copysign',T(0,1,-1,0),T(1,-1,-0.,-0.),overload='Tensor'); case('heaviside',T(0,1),T(.5,.5)); case('fmod',T(3,-3),T(2,2),overload='Tensor'); case('remainder',T(3,-3,4),T(2,2,2),overload='Tensor'); case('lerp',T(1,2),T(1,2),0.5,overload='Scalar'); case('nan_to_num',T(nan,inf,-inf,1)); case('logit',T(0,1,.5,.2),0.2); case('logit',T(0,1,.5),None); case('special_ndtri',T(0.5,)); case('acos',T(1,-1,0)); case('asin',T(1,-1,0)); case('acosh',T(1.,2)); case('atanh',T(1.,0)); case('sqrt',T(0.,1)); case('rsqrt',T(0.,1)); case('log',T(0.,1)); case('reciprocal',T(0.,1)); case('var',T(1,1,1)); case('std',T(1,1,1)); case('std',T(1,1,1),[0],False,overload='dim'); case('renorm',T(3,4,0,0).reshape(2,2),2,0,5.0); case('renorm',T(0,0,0,0).reshape(2,2),2,0,5.0); case('sinc',T(0.,1)); case('special_i1',T(0.)); case('special_i1e',T(0.)); case('special_i0e',T(0.)); case('erfinv',T(0.,1)); case('digamma',T(0.,-1,1)); case('lgamma',T(0.,1,2)); case('lgamma',T(inf,-inf)); case('cosine_similarity',T(0,0).reshape(1,2),T(1,2).reshape(1,2),1,1e-8); case('cosine_similarity',T(0,0).reshape(1,2),T(0,0).reshape(1,2),1,1e-8); case('aminmax',T(1,1,3,3)); case('logdet',T(1,0,0,0).reshape(2,2)); case('nansum',T(nan,1)); case('masked_fill',T(1,nan),torch.tensor([True,False]),2.0,overload='Scalar'); case('max_pool1d',T(1,1,0,0).reshape(1,1,4),[2]); case('max_pool2d',T(1,1,1,1).reshape(1,1,2,2),[2,2]); case('adaptive_max_pool1d',T(1,1,1,1).reshape(1,1,4),[1]); case('scatter_reduce',T(1,2),0,torch.tensor([0,0,1]),T(1,1,3),'amax',overload='two'); case('scatter_reduce',T(1,2),0,torch.tensor([0,0,1]),T(0,2,3),'prod',overload='two'); case('index_reduce',T(1,2),0,torch.tensor([0,0,1]),T(1,1,3),'amax'); case('glu',T(0,0),0); case('binary_cross_entropy',T(0,1,.5),T(0,1,1),None,0); case('kl_div',T(0.,-1),T(0.,.5),0); case('poisson_nll_loss',T(0.,1),T(0.,2),False,False,1e-8,0); case('frac',x3); case('deg2rad',x3); case('quantile',T(1,2,2,3),0.5,overload='scalar'); case('median',T(nan,1,2)); case('topk',T(1,3,3,2),2); case('sort',T(1,1,3,3)); case('msort',T(1,1,3))
C=lambda *v: torch.tensor(v,dtype=torch.complex128)
z=C(0,1,-1,1j,-1j,3+4j)
for op in 'abs angle sgn sqrt log exp reciprocal square'.split(): case(op,z)
for op in 'abs angle'.split(): case(op,C(complex(0,0),complex(-0.,0),complex(-0.,-0.),complex(-1,-0.)))
case('angle',T(0.,1,-1)); case('clamp',T(5,1,nan,3,3,1),T(3,3,3,nan,3,1),T(3,3,3,3,nan,nan),overload='Tensor'); case('clamp',T(1,2,3,nan,2,2,5,1,2,2),T(1,2,2,1,nan,1,7,2,2,0),T(2,2,3,2,3,nan,6,1,2,2),overload='Tensor')
case('huber_loss',T(inf,-inf,1,inf,nan),T(0,0,inf,inf,0),0,0.5); case('smooth_l1_loss',T(inf,-inf,1,inf,nan),T(0,0,inf,inf,0),0,0.5); case('var',T(1,2,4),None,overload='correction',correction=3); case('var',T(1,2,4),None,overload='correction',correction=4); case('std',T(1,2,4),None,overload='correction',correction=4); case('var',T(1,2,4),[0],overload='correction',correction=4); case('clamp',T(1,2,-1,nan),T(nan,nan,nan,0),T(0,3,0,nan),overload='Tensor'); case('ldexp',T(1e-300,0,inf,1e-323,1e-300,-0.,1,nan,1e300,3),torch.tensor([2000,2000,-2000,1074,-100,2**40,-1074,1,-2040,-1075]),overload='Tensor'); case('ldexp',T(1e-300,0,2),T(2000,2000,-1.5),overload='Tensor'); case('topk',T(3.).reshape([]),0)
for op in "elu celu selu softplus hardswish hardsigmoid softshrink hardtanh relu relu6 leaky_relu log_sigmoid silu mish gelu abs square special_log_ndtr special_i1 special_i1e".split():
    case(op,T(-3,-1,-0.5,-0.0,0.0,0.5,1,3,6,20,1e-30),second=True)
case('elu',T(-1,0,1),1.5,2.0,0.5,second=True); case('softplus',T(-1,0,0.5,1),2.0,1.0,second=True); case('softplus',T(-1,0,1),1.0,0.0,second=True)
case('elu',T(-1e4,1e4),second=True); case('softplus',T(-1e4,1e4),second=True)
case('prelu',T(-1,0,1,0,-2,3).reshape(3,2),T(0.25,2),second=True); case('special_log_ndtr',T(50,1,-1),second=True)
case('huber_loss',T(1,0,-1,2.),T(0,0,0,0),0,1.0,second=True); case('smooth_l1_loss',T(1,0,-1,2.),T(0,0,0,0),0,1.0,second=True)
case('binary_cross_entropy',T(0,0,0,1,1,1,1e-13,0.3,0.7),T(0,1,.5,0,1,.5,.5,.2,.4),None,0,second=True)
case('cosine_similarity',T(3e-5,4e-5,1,-2,0.1,0.2).reshape(3,2),T(1,2,1e-9,-3e-9,0.3,-0.1).reshape(3,2),1,1e-3,second=True); case('cosine_similarity',T(0,0,1,2).reshape(2,2),T(1,2,0,0).reshape(2,2),1,0.5)
for p in (0.5,1,1.5,2,2.5,3,4,-1,inf):
    case('linalg_vector_norm',T(0,0),p,second=True)
    if p!=2.5: case('linalg_vector_norm',T(0,0,0,0,3,-4).reshape(3,2),p,[1],second=True)
    if p>0 and p!=inf: case('cdist',T(0,0,3,4).reshape(2,2),T(0,0,1,2).reshape(2,2),float(p),None,second=True); case('pdist',T(0,0,3,4,0,0).reshape(3,2),float(p),second=True)
case('dist',T(1,2),T(1,2),2,second=True); case('atan2',T(0,0,1),T(0,-1,2),second=True); case('hypot',T(0,3),T(0,4),second=True)
case('acosh',C(complex(-30,-0.0),complex(-30,0.0),complex(2,-0.0)))
print(json.dumps(cases))
