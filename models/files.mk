# Files of this folder, one a line, so that a stray one is not built; read by the Makefile.

models = \
	models/bert.c \
	models/inception.c \
	models/mobilenet.c \
	models/nasnet.c \
	models/nasrnn.c \
	models/net.c \
	models/networks.c \
	models/resnet.c \
	models/squeezenet.c \
	models/vgg.c
