/* SPDX-License-Identifier: MIT */
/*
 * flow: async/await for games in C. Everything in one include; each header also stands alone.
 */
#ifndef FLOW_H
#define FLOW_H

#include "flow/async.h"
#include "flow/bridge.h"
#include "flow/cancel_source.h"
#include "flow/channel.h"
#include "flow/clock.h"
#include "flow/completion.h"
#include "flow/compose.h"
#include "flow/delivery.h"
#include "flow/diagnose.h"
#include "flow/executor.h"
#include "flow/inbox.h"
#include "flow/interval.h"
#include "flow/machine.h"
#include "flow/once.h"
#include "flow/owner.h"
#include "flow/phase.h"
#include "flow/poll.h"
#include "flow/profile.h"
#include "flow/property.h"
#include "flow/replay.h"
#include "flow/scope.h"
#include "flow/set.h"
#include "flow/signal.h"
#include "flow/stage.h"
#include "flow/status.h"
#include "flow/stream.h"
#include "flow/subscription.h"
#include "flow/sync.h"
#include "flow/timer.h"
#include "flow/trace.h"
#include "flow/tween.h"
#include "flow/vote.h"
#include "flow/wait.h"
#include "flow/world.h"

#endif
