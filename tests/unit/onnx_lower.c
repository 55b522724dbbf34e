/*
 * What each ONNX operator is read as, and that it comes out again: unchanged as the same bytes, and
 * raised anew as a model that is read as the same graph.
 */
#include "tests/unit/onnx_build.h"

static const struct given {
	const char *model, *want;
} cases[] = {
	{"in x f32 n 3; Relu x -> y; out y", "relu(x)"},
	{"in x f32 n 3; Neg x -> a; Abs a -> b; Exp b -> c; Log c -> d; Sqrt d -> e; Erf e -> f; Sigmoid f -> h; Tanh h -> y; out y",
	 "tanh(sigmoid(erf(sqrt(log(exp(abs(neg(x))))))))"},
	/* numbers of one element are fills of the shape of their place */
	{"in x f32 n 3; i c f32 = 2; Mul x c -> y; out y", "mul(x 2)"},
	{"in x f32 n 3; w c f32 = 2; Div c x -> y; out y", "div(2 x)"},
	{"in x f32 n 3 h w; w c f32 3 1 1; Add x c -> y; out y",
	 "add(x expand{[1 2 3] [n 3 h w]}(c))"},
	{"in x f32 n 1; in z f32 3; Sub x z -> y; out y",
	 "sub(expand{[0 1] [n 3]}(x) expand{[1] [n 3]}(z))"},
	{"in x f32 n 3; in z f32 m 3; Sub x z -> y; out y", "?Sub(x z)"},
	{"in x f32 n; in z f32 3; Sub x z -> y; out y", "?Sub(x z)"},
	{"in x i64 n 3; in z i64 n 3; Add x z -> y; out y", "?Add(x z)"},
	{"in x f32 2; in z f32 2; in u f32 2; Max x z u -> a; Sum a x -> y; out y", "add(max(max(x z) u) x)"},
	{"in x f32 2; Max x -> y; out y", "x"},
	{"in x f32 ? 3; w z f32 3; Add x z -> y; out y", "add(x expand{[1] [x_0 3]}(z))"},
	{"in x f32 ? 3; w z f32 3; in q f32 x_0; Add x z -> y; out y", "add(x expand{[1] [x_0' 3]}(z))"},
	/* activations */
	{"opset 9; in x f32 2; Clip x -> y max=6.0 min=0.0; out y", "clip{0 6}(x)"},
	{"opset 13; in x f32 2; i a f32 = 0; Clip x a -> y; out y", "clip{0 inf}(x)"},
	{"opset 13; in x f32 2; i a f32 = 0; Clip x _ a -> y; out y", "clip{-inf 0}(x)"},
	{"opset 13; in x f32 2; in a f32; Clip x a -> y; out y", "?Clip(x a)"},
	{"in x f32 2; LeakyRelu x -> y alpha=0.5; out y", "leaky-relu{0.5}(x)"},
	{"in x f32 2; HardSigmoid x -> y alpha=0.25 beta=0.5; out y", "hard-sigmoid{0.25 0.5}(x)"},
	{"opset 14; in x f32 2; HardSwish x -> y; out y", "hard-swish(x)"},
	{"opset 20; in x f32 2; Gelu x -> y; out y", "gelu(x)"},
	{"opset 20; in x f32 2; Gelu x -> y approximate=tanh; out y", "?Gelu(x)"},
	{"opset 13; in x f32 2 3 4; Softmax x -> y axis=1; out y", "softmax{1}(x)"},
	{"opset 11; in x f32 2 3 4; Softmax x -> y axis=1; out y",
	 "reshape{[2 3 4]}(softmax{1}(reshape{[2 12]}(x)))"},
	{"opset 11; in x f32 n 3 h; Softmax x -> y axis=-1; out y", "softmax{2}(x)"},
	/* what changes nothing */
	{"in x f32 2; Identity x -> a; Relu a -> y; out y", "relu(x)"},
	{"in x f32 2; Cast x -> y to=1; out y", "x"},
	{"in x f32 2; Cast x -> y to=11; out y", "?Cast(x)"},
	{"opset 13; in x f32 2; i r f32 = 0.5; Dropout x r -> y; out y", "x"},
	{"opset 13; in x f32 2; i a f32 = inf; Clip x a -> y; out y", "clip{inf inf}(x)"},
	{"opset 13; in x f32 2; i r f32 = 0.5; Dropout x r -> y m; out y; out m", "?Dropout(x r), ?Dropout(x r).1"},
	/* no elements */
	{"opset 14; in x f32 3 0; Flatten x -> y axis=2; out y", "reshape{[0 1]}(x)"},
	{"opset 9; in x f32 3 0; Flatten x -> y axis=0; out y", "reshape{[1 0]}(x)"},
	{"opset 14; in x f32 3 0; w s i64 = 0 5; Reshape x s -> y allowzero=1; out y", "reshape{[0 5]}(x)"},
	{"opset 14; in x f32 3 0; w s i64 = 0 -1; Reshape x s -> y allowzero=1; out y", "?Reshape(x s)"},
	/* whole numbers beyond what extents are */
	{"in x f32 2; i c i64 = 9223372036854775807; i d i64 = 1; Sub c d -> y; out y", "?Sub(c d)"},
	{"in x f32 2; w c i64 = 9223372036854775807 2; ReduceProd c -> y; out y", "?ReduceProd(c)"},
	{"in x f32 2; i c i32 = 2000000000; Add c c -> y; out y", "?Add(c c)"},
	{"opset 9; in x f32 8; Slice x -> y starts=[2] ends=[9223372036854775807]; out y", "slice{0 2 8 1}(x)"},
	{"opset 9; in x f32 8; Slice x -> y starts=[2] ends=[4611686018427387909]; out y", "slice{0 2 8 1}(x)"},
	{"opset 9; in x f32 8; Split x -> y z split=[4611686018427387909,3]; out y; out z", "?Split(x), ?Split(x).1"},
	{"opset 9; in x f32 1 2 8; w k f32 2 2 3; Conv x k -> y pads=[4611686018427387909,4611686018427387910]; out y", "?Conv(x k)"},
	{"opset 9; in x f32 1 2 8 8; w k f32 2 2 3 3; Conv x k -> y group=4611686018427387909; out y", "?Conv(x k)"},
	/* what some take for all axes and some for none */
	{"opset 13; in x f32 2 1; w a i64 =; Squeeze x a -> y; out y", "?Squeeze(x a)"},
	{"opset 11; in x f32 2 1; Squeeze x -> y axes=[]; out y", "?Squeeze(x)"},
	{"opset 13; w s i64 = 3; w a i64 =; Squeeze s a -> y; out y", "?Squeeze(s a)"},
	/* windows */
	{"in x f32 1 3 8 8; w k f32 4 3 3 3; Conv x k -> y; out y", "conv2d{[1 1] [0 0 0 0] [1 1] 1 none}(x k 0)"},
	{"in x f32 n 4 h w; w k f32 6 2 3 5; w b f32 6;"
	 "Conv x k b -> y strides=[2,1] pads=[1,2,1,2] dilations=[1,1] group=2 kernel_shape=[3,5]; out y",
	 "conv2d{[2 1] [1 2 1 2] [1 1] 2 none}(x k b)"},
	{"in x f32 n 3 7 8; w k f32 4 3 3 3; Conv x k -> y strides=[2,2] auto_pad=SAME_UPPER; out y",
	 "conv2d{[2 2] [1 0 1 1] [1 1] 1 none}(x k 0)"},
	{"in x f32 n 3 h w; w k f32 4 3 4 4; Conv x k -> y auto_pad=SAME_LOWER; out y",
	 "conv2d{[1 1] [2 2 1 1] [1 1] 1 none}(x k 0)"},
	{"in x f32 n 3 h w; w k f32 4 3 3 3; Conv x k -> y strides=[2,2] auto_pad=SAME_UPPER; out y", "?Conv(x k)"},
	{"in x f32 n 3 h w; w k f32 4 3 3 3; Conv x k -> y kernel_shape=[5,5]; out y", "?Conv(x k)"},
	{"in x f32 n 3 8 8; w k f32 4 3 3 3; Conv x k -> y strides=[2,2] pads=[9223372036854775807,0,1,0]; out y", "?Conv(x k)"},
	{"in x f32 n 3 8 8; MaxPool x -> y kernel_shape=[2,2] strides=[2,2] ceil_mode=1 pads=[0,0,9223372036854775807,0]; out y",
	 "?MaxPool(x)"},
	{"in x f32 n 3 h; w k f32 4 3 3; Conv x k -> y; out y", "?Conv(x k)"},
	{"in x f32 n 3 h w; w k f32 3 4 2 2; ConvTranspose x k -> y strides=[2,2] output_padding=[1,0]; out y",
	 "conv-transpose2d{[2 2] [0 0 0 0] [1 0]}(x k 0)"},
	{"in x f32 n 4 h w; w k f32 4 2 2 2; ConvTranspose x k -> y group=2; out y", "?ConvTranspose(x k)"},
	{"in x f32 n 3 h w; MaxPool x -> y kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]; out y",
	 "max-pool2d{[3 3] [2 2] [1 1 1 1]}(x)"},
	{"in x f32 n 3 8 8; MaxPool x -> y kernel_shape=[3,3] strides=[2,2] ceil_mode=1; out y",
	 "max-pool2d{[3 3] [2 2] [0 0 1 1]}(x)"},
	{"in x f32 n 3 8 8; MaxPool x -> y kernel_shape=[3,3] dilations=[2,2]; out y", "?MaxPool(x)"},
	{"in x f32 n 3 8 8; MaxPool x -> y i kernel_shape=[3,3]; out y; out i", "?MaxPool(x), ?MaxPool(x).1"},
	{"in x f32 n 3 8 8; AveragePool x -> y kernel_shape=[2,2] pads=[1,1,0,0]; out y",
	 "avg-pool2d{[2 2] [1 1] [1 1 0 0] false}(x)"},
	{"in x f32 n 3 8 8; AveragePool x -> y kernel_shape=[2,2] count_include_pad=1; out y",
	 "avg-pool2d{[2 2] [1 1] [0 0 0 0] true}(x)"},
	{"in x f32 n 3 h w; GlobalAveragePool x -> y; out y", "reduce-mean{2 2}(x)"},
	{"in x f32 n 3 h; GlobalMaxPool x -> y; out y", "reduce-max{2 1}(x)"},
	/* matrix products */
	{"in x f32 n t 8; w k f32 8 5; MatMul x k -> y; out y", "matmul{0 none}(x k 0)"},
	{"in x f32 n t 8; in z f32 n 8 5; MatMul x z -> y; out y", "matmul{1 none}(x z 0)"},
	{"in x f32 2 4 8; in z f32 n 1 8 5; MatMul x z -> y; out y",
	 "matmul{2 none}(expand{[1 2 3] [n 2 4 8]}(x) expand{[0 1 2 3] [n 2 8 5]}(z) 0)"},
	{"in x f32 8; w k f32 8 5; MatMul x k -> y; out y", "reshape{[5]}(matmul{0 none}(reshape{[1 8]}(x) k 0))"},
	{"in x f32 3 8; in z f32 8; MatMul x z -> y; out y", "reshape{[3]}(matmul{0 none}(x reshape{[8 1]}(z) 0))"},
	{"in x f32 n 8; w k f32 5 8; w b f32 5; Gemm x k b -> y transB=1; out y", "matmul{0 none}(x k_transposed b)"},
	{"in x f32 n 8; w k f32 8 5; w b f32 1 5; Gemm x k b -> y; out y", "matmul{0 none}(x k b_reshaped)"},
	{"in x f32 n 8; w k f32 8 5; Gemm x k -> y alpha=0.5; out y", "mul(matmul{0 none}(x k 0) 0.5)"},
	{"in x f32 2 8; w k f32 8 5; in c f32 2 1; Gemm x k c -> y; out y", "add(matmul{0 none}(x k 0) expand{[0 1] [2 5]}(c))"},
	/* reductions and normalisations */
	{"in x f32 n 3 4; ReduceMean x -> y axes=[-1]; out y", "reduce-mean{2 1}(x)"},
	{"in x f32 n 3 4; ReduceMax x -> y axes=[0,2] keepdims=0; out y", "reshape{[3]}(reduce-max{2 1}(reduce-max{0 1}(x)))"},
	{"in x f32 n 3 4; w a i64 = 1 2; ReduceSum x a -> y; out y", "reduce-sum{1 2}(x)"},
	{"in x f32 n 3 4; ReduceMin x -> y; out y", "reduce-min{0 3}(x)"},
	{"opset 9; in x f32 n 3; w s f32 3; w b f32 3; w m f32 3; w v f32 3; BatchNormalization x s b m v -> y p q; out y",
	 "?BatchNormalization(x s b m v)"},
	{"in x f32 n 3 h w; w s f32 3; w b f32 3; w m f32 3; w v f32 3; BatchNormalization x s b m v -> y epsilon=0.001; out y",
	 "batch-norm{0.001}(x s b m v)"},
	{"opset 17; in x f32 n 4; w s f32 4; LayerNormalization x s -> y; out y", "layer-norm{1e-05}(x s 0)"},
	{"opset 17; in x f32 n 4; w s f32 4; LayerNormalization x s -> y axis=0; out y", "?LayerNormalization(x s)"},
	/* moving elements */
	{"in x f32 n 3; in z f32 n 4; Concat x z -> y axis=-1; out y", "concat{1}(x z)"},
	{"in x f32 2 3 4; Transpose x -> y; out y", "transpose{[2 1 0]}(x)"},
	{"in x i64 2 3; Transpose x -> y perm=[1,0]; out y", "transpose{[1 0]}(x)"},
	{"in x f32 n 3 4; w s i64 = 0 -1; Reshape x s -> y; out y", "reshape{[n 12]}(x)"},
	{"in x f32 n 3 h 2; w s i64 = 3 -1 0 2; Reshape x s -> y; out y", "reshape{[3 n h 2]}(x)"},
	/* resizing: tests/unit/onnx_resize.c says which kinds repeat elements */
	{"opset 7; in x f32 n 3 h w; Upsample x -> y mode=nearest scales=[1.0,1.0,2.0,3.0]; out y", "upsample{[1 1 2 3]}(x)"},
	{"opset 9; in x f32 n 3 h w; w s f32 = 1 1 2 3; Upsample x s -> y; out y", "upsample{[1 1 2 3]}(x)"},
	{"opset 9; in x f32 n 3 h w; w s f32 = 1 1 2 3; Upsample x s -> y mode=linear; out y", "?Upsample(x s)"},
	{"opset 9; in x f32 n 3 h w; w s f32 = 1 1 2 1.5; Upsample x s -> y; out y", "?Upsample(x s)"},
	{"opset 10; in x f32 n 3 h w; w s f32 = 1 1 4 4; Resize x s -> y; out y", "upsample{[1 1 4 4]}(x)"},
	{"opset 11; in x f32 n 3 h w; w r f32 =; w s f32 = 1 1 2 2; "
	 "Resize x r s -> y coordinate_transformation_mode=asymmetric nearest_mode=floor; out y", "upsample{[1 1 2 2]}(x)"},
	{"in x f32 n 3 h w; w s f32 = 1 1 2 2; Resize x _ s -> y; out y", "upsample{[1 1 2 2]}(x)"},
	{"in x f32 n 3 h w; in s f32 4; Resize x _ s -> y; out y", "?Resize(x s)"},
	{"in x f32 n 3 h w; in r f32 8; w s f32 = 1 1 2 2; Resize x r s -> y; out y", "?Resize(x r s)"},
	{"in x f32 n 3 h w; w r f32 8; w s f32 = 1 1 2 2; Resize x r s -> y coordinate_transformation_mode=tf_crop_and_resize; out y",
	 "?Resize(x r s)"},
	{"in x f32 n 3 4 5; w s i64 = 2 3 8 5; Resize x _ _ s -> y; out y", "?Resize(x s)"},
	{"in x f32 2 3 4 5; w s i64 = 2 3 8 5; Resize x _ _ s -> y; out y", "upsample{[1 1 2 1]}(x)"},
	{"in x f32 2 3 4 5; w s i64 = 2 3 9 5; Resize x _ _ s -> y; out y", "?Resize(x s)"},
	{"in x f32 2 3 4 5; w s i64 = 2 3 2 5; Resize x _ _ s -> y; out y", "?Resize(x s)"},
	/* a scale says where elements are read, whatever extents it comes to */
	{"in x f32 2 3 4 4; w s f32 = 1 1 1.2 1; Resize x _ s -> y; out y", "?Resize(x s)"},
	{"in x f32 2 3 4 4; w s f32 = 1 1 1 1.2; Resize x _ s -> y mode=linear; out y", "?Resize(x s)"},
	{"opset 9; in x f32 2 3 2 4; w s f32 = 1 1 2.2 2; Upsample x s -> y; out y", "?Upsample(x s)"},
	{"in x f32 2 3 1 4; w s f32 = 1 1 2.5 2; Resize x _ s -> y; out y", "upsample{[1 1 2 2]}(x)"},
	{"opset 18; in x f32 n 3 h w; w s f32 = 2 3; Resize x _ s -> y axes=[-1,2]; out y", "upsample{[1 1 3 2]}(x)"},
	{"opset 18; in x f32 n 3 h w; w s f32 = 2 3; Resize x _ s -> y axes=[2,4]; out y", "?Resize(x s)"},
	{"opset 18; in x f32 n 3 h w; w s f32 = 2 3; Resize x _ s -> y axes=[2.0,3.0]; out y", "?Resize(x s)"},
	{"opset 18; in x f32 2 3 4 4; w s i64 = 2 3 8 12; Resize x _ _ s -> y keep_aspect_ratio_policy=not_larger; out y", "?Resize(x s)"},
	{"opset 18; in x f32 2 3 4 4; w s i64 = 2 3 8 12; Resize x _ _ s -> y keep_aspect_ratio_policy=stretch; out y",
	 "upsample{[1 1 2 3]}(x)"},
	/* sizes reckoned from shapes */
	{"in x f32 n 3 h w; Shape x -> s; w f i64 = 1 1 2 2; Mul s f -> t; Resize x _ _ t -> y; out y", "upsample{[1 1 2 2]}(x)"},
	{"in x f32 n 3 h w; in z f32 n 3 k w; Shape z -> s; Resize x _ _ s -> y; out y", "?Resize(x ?Shape(z))"},
	/* only what has one element grows: it is repeated, whatever would lie between two */
	{"in x f32 n 3 1 1; in z f32 n 3 h w; Shape z -> s; Resize x _ _ s -> a mode=linear; Add a z -> y; out y",
	 "add(expand{[0 1 2 3] [n 3 h w]}(x) z)"},
	{"in x f32 2 3 1 4; w s i64 = 2 3 5 4; Resize x _ _ s -> y mode=linear; out y", "expand{[0 1 2 3] [2 3 5 4]}(x)"},
	{"in x f32 2 3 1 1; w s i64 = 2 3 5 4; Resize x _ _ s -> y mode=cubic; out y", "?Resize(x s)"},
	{"in x f32 2 3 h w; w s f32 = 1 1 1 1; Resize x _ s -> y mode=linear; out y", "x"},
	{"in x f32 n 3 4; in s i64 2; Reshape x s -> y; out y", "?Reshape(x s)"},
	{"in x f32 n 3 4; Flatten x -> y axis=2; out y", "reshape{[(* 3 n) 4]}(x)"},
	{"opset 11; in x f32 n 1 4; Squeeze x -> a axes=[1]; Unsqueeze a -> y axes=[0,3]; out y",
	 "reshape{[1 n 4 1]}(reshape{[n 4]}(x))"},
	{"in x f32 n 1 4; w a i64 = 1; Squeeze x a -> y; out y", "reshape{[n 4]}(x)"},
	{"in x f32 n 1 4; Squeeze x -> y; out y", "?Squeeze(x)"},
	{"in x f32 1 4; w s i64 = 3 1 4; Expand x s -> y; out y", "expand{[1 2] [3 1 4]}(x)"},
	{"in x f32 n 9; w a i64 = 1; w b i64 = -2; w c i64 = 1; Slice x a b c -> y; out y", "slice{1 1 7 1}(x)"},
	{"in x f32 n 9; w a i64 = 0 1; w b i64 = 99999999999 8; w c i64 = 0 1; w d i64 = 1 3; Slice x a b c d -> y; out y",
	 "slice{1 1 8 3}(slice{0 0 n 1}(x))"},
	{"in x f32 n 9; w a i64 = 0; w b i64 = 2; Slice x a b -> y; out y", "?Slice(x a b)"},
	{"opset 9; in x f32 h 9; Slice x -> y starts=[0] ends=[-1]; out y", "slice{0 0 (- h 1) 1}(x)"},
	{"opset 11; in x f32 6 2; Split x -> y z axis=0; out y; out z", "slice{0 0 3 1}(x), slice{0 3 6 1}(x)"},
	{"in x f32 6 2; w s i64 = 1 5; Split x s -> y z; out z; out y", "slice{0 1 6 1}(x), slice{0 0 1 1}(x)"},
	{"opset 9; in x f32 n 3; Pad x -> y pads=[0,1,0,2]; out y", "pad{[0 1] [0 2]}(x)"},
	{"in x f32 n 3; w p i64 = 0 1 0 2; Pad x p -> y; out y", "pad{[0 1] [0 2]}(x)"},
	{"in x f32 n 3; w p i64 = 0 1 0 2; i v f32 = 1; Pad x p v -> y; out y", "?Pad(x p v)"},
	{"in x f32 n 3; w p i64 = 0 1 0 2; Pad x p -> y mode=reflect; out y", "?Pad(x p)"},
	{"in x f32 n 3; Shape x -> s; ConstantOfShape s -> c; Add x c -> y; out y", "add(x 0)"},
	/* a shape that no other tensor has is not asked of the fill that is made by it */
	{"opset 11; in x f32 n 3; Shape x -> s; ConstantOfShape s -> c; ReduceSum c -> q axes=[1] keepdims=0; Shape q -> t;"
	 " ConstantOfShape t -> d; out d", "0"},
	/* two that are alike keep their users */
	{"in x f32 n 3; Shape x -> s; ConstantOfShape s -> c; Add c x -> y; Shape x -> t; ConstantOfShape t -> d; Add d x -> z;"
	 " Add d d -> v; out y; out z; out v", "add(0 x), add(0 x), add(0 0)"},
	/* shapes reckoned with */
	{"in x f32 n 3 h w; Shape x -> s; w i i64 = 0 1; Gather s i -> a; w m i64 = -1; Concat a m -> t axis=0; Reshape x t -> y; out y",
	 "reshape{[n 3 (* h w)]}(x)"},
	{"in x f32 n 6; Shape x -> s; i one i64 = 1; Gather s one -> a; i two i64 = 2; Div a two -> b; w z i64 = 0; Unsqueeze b z -> c;"
	 "w m i64 = 2; w neg i64 = -1; Concat neg m c -> t axis=0; Reshape x t -> y; out y", "reshape{[n 2 3]}(x)"},
	/* what is not known */
	{"in x f32 n 3; com.acme:Magic x -> a; Relu a -> y; out y", "?Relu(?Magic(x))"},
	{"in x f32 n 3; com.acme:Magic x -> a; Relu a -> y; info a f32 n 5; out y", "relu(?Magic(x))"},
	{"in x f32 n 3; Relu x -> y colour=3; out y", "?Relu(x)"},
	{"in x f32 n 3; Transpose x -> y perm=1; out y", "?Transpose(x)"},
	{"in x f32 n 3; HardSwish x -> y; out y", "?HardSwish(x)"},
	{"in x f32 *; Relu x -> y; out y", "?Relu(x)"},
};

static void
fail(const char *model, const char *what, const char *found, const char *wanted)
{
	printf("%s\n  %s: found  %s\n%*s wanted %s\n", model, what, found, (int)strlen(what) + 3, "", wanted);
	failures++;
}

static void
check_bytes(const struct given *c, struct tn_onnx *x, const char *in)
{
	const char *out = scratch("copy.onnx");
	struct tn_error e = {0};
	struct buf a = {0}, b = {0};

	if (!tn_onnx_write(x, tn_onnx_graph(x), out, &e)) {
		fail(c->model, "copy", e.msg, "");
		return;
	}
	read_file(in, &a);
	read_file(out, &b);
	if (a.n != b.n || memcmp(a.at, b.at, a.n) != 0)
		fail(c->model, "copy", "other bytes", "the same");
	buf_free(&a);
	buf_free(&b);
	unlink(out);
}

static void
check_raised(const struct given *c, struct tn_onnx *x)
{
	const char *out = scratch("raised.onnx");
	struct tn_error e = {0};
	struct tn_onnx *again = NULL;
	struct buf text = {0};

	if (onnx_write_anew(x, tn_onnx_graph(x), out, &e))
		again = tn_onnx_open(ctx, &program, out, NULL, &e);
	if (again)
		graph_to_text(again, tn_onnx_graph(again), &text);
	if (!again || strcmp(text.at, c->want) != 0)
		fail(c->model, "raised", again ? text.at : e.msg, c->want);
	tn_onnx_close(again);
	buf_free(&text);
	unlink(out);
}

int
main(void)
{
	struct tn_error e = {0};
	size_t i;

	load_program();
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *in = scratch("in.onnx");
		char path[300];
		struct tn_onnx *x;
		struct buf text = {0};

		snprintf(path, sizeof path, "%s", in);
		x = open_text(cases[i].model, path, &e);
		if (x)
			graph_to_text(x, tn_onnx_graph(x), &text);
		if (!x || strcmp(text.at, cases[i].want) != 0)
			fail(cases[i].model, "read", x ? text.at : e.msg, cases[i].want);
		if (x) {
			check_bytes(&cases[i], x, path);
			check_raised(&cases[i], x);
		}
		tn_onnx_close(x);
		buf_free(&text);
		unlink(path);
	}
	unload_program();
	return failures != 0;
}
